#!/usr/bin/env python3
"""Serves the demo site on loopback, with the headers, cookies, redirects and delays that its faults need.

Usage: serve.py [port]; 0 or nothing takes any free port. Prints the address once it listens.
"""

import gzip
import http.server
import json
import pathlib
import random
import struct
import sys
import time
import zlib

HERE = pathlib.Path(__file__).parent
PUBLIC = (HERE / "public").resolve()
RULES = json.loads((HERE / "headers.json").read_text(encoding="utf-8"))
TYPES = {".html": "text/html; charset=utf-8", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml",
         ".xml": "application/xml", ".txt": "text/plain; charset=utf-8", ".woff2": "font/woff2", ".png": "image/png"}


def noise(width, height):
    """A picture that cannot be made small: every dot has a colour of its own."""
    dots = random.Random(3)
    rows = b"".join(b"\0" + dots.randbytes(width * 3) for _ in range(height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


PICTURES = {"/assets/noise.png": noise(640, 400), "/assets/card.png": noise(40, 20)}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.split("?")[0].split("#")[0]
        if path in RULES["redirects"]:
            return self.answer(301, b"", {"location": RULES["redirects"][path]}, path)
        body, kind = self.find(path)
        if body is None:
            page = '<!doctype html><html lang="en"><head><title>Not found</title></head><body><main><h1>Not found</h1></main></body></html>'
            return self.answer(404, page.encode(), {"content-type": TYPES[".html"]}, path)
        self.answer(200, body, {"content-type": kind}, path)

    do_HEAD = do_GET

    def find(self, path):
        if path in PICTURES:
            return PICTURES[path], "image/png"
        file = (PUBLIC / path.lstrip("/")).resolve()
        if not file.is_relative_to(PUBLIC):
            return None, None
        if file.is_dir():
            file = file / "index.html"
        if not file.is_file():
            return None, None
        kind = TYPES.get(file.suffix, "application/octet-stream")
        body = file.read_bytes()
        if file.suffix in (".html", ".xml", ".txt"):
            body = body.replace(b"https://fernhill.example", self.server.origin.encode())
            body = body.replace(b"https://outside.example", self.server.outside.encode())
        return body, kind

    def answer(self, status, body, headers, path):
        page = RULES["pages"].get(path, {})
        time.sleep(page.get("delay_ms", 0) / 1000)
        sent = {**RULES["default"], **headers}
        if path.startswith("/assets/"):
            sent["cache-control"] = "public, max-age=31536000, immutable"
        for name, value in page.get("headers", {}).items():
            sent[name] = value
        if path in RULES["uncached"]:
            sent["cache-control"] = None
        packs = "gzip" in self.headers.get("accept-encoding", "") and path not in RULES["uncompressed"]
        if packs and len(body) > 500 and not sent.get("content-type", "").startswith("image/png"):
            body = gzip.compress(body, 6, mtime=0)
            sent["content-encoding"] = "gzip"
            sent["vary"] = "accept-encoding"
        self.send_response_only(status)
        for name, value in sent.items():
            if value is not None:
                self.send_header(name, value)
        for cookie in page.get("cookies", []):
            self.send_header("set-cookie", cookie)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.origin = f"http://127.0.0.1:{server.server_port}"
    # The same server under another name is another site.
    server.outside = f"http://localhost:{server.server_port}"
    print(server.origin + "/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
