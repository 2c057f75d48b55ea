#!/usr/bin/env python3
"""Writes the demo site: pages, sitemap, robots.txt, assets, headers and the list of what was planted."""

import json
import pathlib
import random

from layout import ORIGIN, layout
from pages import ALSO_LISTED, PAGES, REDIRECTS

HERE = pathlib.Path(__file__).parent
PUBLIC = HERE / "public"

HEADERS = {
    "content-security-policy": "default-src 'self'; object-src 'none'; base-uri 'self'; frame-ancestors 'self'; form-action 'self'; require-trusted-types-for 'script'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "SAMEORIGIN",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "max-age=600",
}

STYLE = """body { margin: 0; font-family: sans-serif; font-size: 16px; color: #222222; background-color: #ffffff }
header, footer { padding: 1rem; background-color: #eef3ea }
main { padding: 1rem; max-width: 60rem }
a { color: #0b5a2a; text-decoration: underline; display: inline-block; min-height: 24px }
nav ul { list-style: none; padding: 0 }
.skip { position: absolute; left: 0; top: -3rem }
.skip:focus { top: 0 }
.price { font-weight: bold }
button { padding: 0.5rem 1rem; color: #ffffff; background-color: #0b5a2a; border: 0 }
:focus-visible { outline: 3px solid #b35900 }
"""

LEGACY = """@import url("print.css");
@font-face {
    font-family: "Fell";
    src: url("fell.woff2") format("woff2");
}
a { letter-spacing: 0.02em }
"""


def picture(label, colour):
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240" viewBox="0 0 320 240">'
        f'<rect width="320" height="240" fill="#dddddd"/><path d="M20 220 L160 40 L300 220 Z" fill="{colour}"/>'
        f"<title>{label}</title></svg>\n"
    )


def assets():
    vendor = random.Random(7)
    words = ["path", "hill", "basket", "price", "total", "count", "item", "size"]
    lines = [f"function {vendor.choice(words)}{number}(a) {{ return a * {vendor.randrange(100)}; }}" for number in range(1500)]
    return {
        "main.css": STYLE,
        "legacy.css": LEGACY,
        "print.css": "nav { display: none }\n",
        "fell.woff2": "not a real font\n",
        "shop.js": "document.querySelectorAll('.buy').forEach(b => b.addEventListener('click', () => b.textContent = 'In the basket'));\n",
        "vendor.js": "\n".join(lines) + "\n",
        "jquery-1.12.4.min.js": "/*! jQuery v1.12.4 | a stand-in that only carries the name */\nwindow.jQuery = { fn: { jquery: '1.12.4' } };\n",
        "sizes.js": "\n".join(f"// The next function tells the length of size {number}.\nfunction size{number}() {{\n        return {number} * 0.667;\n}}\n" for number in range(150)),
        "map.html": '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Map</title></head><body><p>A map.</p></body></html>\n',
        "fern.svg": picture("Fern", "#0b5a2a"),
        "hill.svg": picture("Hill", "#5a8f3c"),
        "tent.svg": picture("Tent", "#b35900"),
        "boot.svg": picture("Boot", "#6b4226"),
        "bag.svg": picture("Bag", "#234a7a"),
        "stove.svg": picture("Stove", "#7a2323"),
        "glass.svg": picture("Glass", "#333333"),
    }


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def sitemap():
    listed = [page["path"] for page in PAGES if page.get("listed", True)] + ALSO_LISTED
    entries = "".join(f"  <url><loc>{ORIGIN}{path}</loc><lastmod>2026-02-0{1 + number % 9}</lastmod></url>\n" for number, path in enumerate(listed))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'


def main():
    for page in PAGES:
        write(PUBLIC / page["path"].strip("/") / "index.html", layout(page))
    for name, text in assets().items():
        write(PUBLIC / "assets" / name, text)
    write(PUBLIC / "sitemap.xml", sitemap())
    write(PUBLIC / "robots.txt", f"User-agent: *\nDisallow: /basket/\n\nSitemap: {ORIGIN}/sitemap.xml\n")
    rules = {
        "default": HEADERS,
        "pages": {page["path"]: {key: page[key] for key in ("headers", "cookies", "delay_ms") if key in page}
                  for page in PAGES if any(key in page for key in ("headers", "cookies", "delay_ms"))},
        "uncompressed": ["/assets/vendor.js"],
        "uncached": ["/assets/legacy.css"],
        "redirects": REDIRECTS,
    }
    write(HERE / "headers.json", json.dumps(rules, indent=2) + "\n")
    faults = [{"rule": fault["rule"], "domain": fault["domain"], "page": page["path"], "what": fault["what"]}
              for page in PAGES for fault in page.get("faults", [])]
    faults.append({"rule": "page-error", "domain": "seo", "page": "/delivery/islands/", "what": "listed in the sitemap, but not there"})
    write(HERE / "faults.json", json.dumps(faults, indent=1) + "\n")
    clean = [page["path"] for page in PAGES if not page.get("faults")]
    print(f"{len(PAGES)} pages, {len(faults)} faults, without a fault: {', '.join(clean)}")


if __name__ == "__main__":
    main()
