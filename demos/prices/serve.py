#!/usr/bin/env python3
"""Serves five outdoor shops with a price history for each product, made from prices.csv, on loopback.

    python3 demos/prices/serve.py [PORT]      0 or no number picks a free port, which is printed
"""

import csv
import html
import http.server
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent


def slug(name):
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def histories():
    """{(shop, product): [(date, price)]}"""
    found = {}
    with open(HERE / "prices.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault((row["shop"], row["product"]), []).append((row["date"], row["price"]))
    return found


def page(title, shop, body, data=None):
    ld = f'<script type="application/ld+json">{json.dumps(data)}</script>' if data else ""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f'<meta property="og:site_name" content="{html.escape(shop)}">{ld}</head><body><main>{body}</main></body></html>'
    )


def pages():
    """{path: (content type, text)}"""
    served, products = {}, histories()
    shops = sorted({shop for shop, _ in products})
    listed = "".join(f'<li><a href="/{slug(shop)}/">{html.escape(shop)}</a></li>' for shop in shops)
    served["/"] = page("Outdoor shops", "Outdoor shops", f"<h1>Outdoor shops</h1><ul>{listed}</ul>")
    for shop in shops:
        own = [product for other, product in products if other == shop]
        links = "".join(f'<li><a href="{slug(product)}.html">{html.escape(product)}</a></li>' for product in own)
        served[f"/{slug(shop)}/"] = page(shop, shop, f"<h1>{html.escape(shop)}</h1><ul>{links}</ul>")
    for (shop, product), history in products.items():
        rows = "".join(f"<tr><td>{date}</td><td>€ {price}</td></tr>" for date, price in history)
        data = {
            "@context": "https://schema.org",
            "@type": "Product",
            "name": product,
            "offers": {
                "@type": "Offer",
                "price": history[-1][1],
                "priceCurrency": "EUR",
                "seller": {"@type": "Organization", "name": shop},
            },
        }
        body = (
            f"<h1>{html.escape(product)}</h1><p>Today: € {history[-1][1]}</p>"
            f"<table><caption>Price history</caption><tr><th>Date</th><th>Price</th></tr>{rows}</table>"
        )
        served[f"/{slug(shop)}/{slug(product)}.html"] = page(product, shop, body, data)
    return served


class Shop(http.server.BaseHTTPRequestHandler):
    served = pages()

    def do_GET(self):
        path = self.path.split("?")[0]
        here = f"http://{self.headers.get('Host', '127.0.0.1')}"
        if path == "/robots.txt":
            self.answer(200, "text/plain", f"User-agent: *\nAllow: /\nSitemap: {here}/sitemap.xml\n")
        elif path == "/sitemap.xml":
            urls = "".join(f"<url><loc>{here}{path}</loc></url>" for path in self.served)
            self.answer(200, "application/xml", f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>')
        elif path in self.served:
            self.answer(200, "text/html; charset=utf-8", self.served[path])
        else:
            self.answer(404, "text/plain", "there is no such page\n")

    def answer(self, status, kind, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Shop)
    print(f"http://127.0.0.1:{server.server_port}/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
