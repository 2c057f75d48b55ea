"""A small shop on loopback that describes itself: python3 shop.py PORT KEY"""
import http.server
import json
import sys

PORT, KEY = int(sys.argv[1]), sys.argv[2]
ORDERS = [19.9, 24.5, 18.0, 31.2, 22.4, 27.8, 20.1, 25.6, 23.3, 29.0]
NOTES = []

DESCRIPTION = {
    "openapi": "3.1.0",
    "info": {"title": "Shop", "version": "1.0.0"},
    "servers": [{"url": f"http://127.0.0.1:{PORT}"}],
    "security": [{"shop_key": []}],
    "components": {"securitySchemes": {"shop_key": {"type": "apiKey", "in": "header", "name": "X-Key"}}},
    "paths": {
        "/orders": {
            "get": {
                "operationId": "listOrders",
                "summary": "All orders with their value",
                "parameters": [{"name": "least", "in": "query", "schema": {"type": "number"},
                                "description": "Only orders of at least this value"}],
                "responses": {"200": {"description": "The orders", "content": {"application/json": {"schema": {
                    "type": "object",
                    "required": ["orders"],
                    "properties": {"orders": {"type": "array", "items": {
                        "type": "object",
                        "required": ["id", "value"],
                        "properties": {"id": {"type": "integer"}, "value": {"type": "number"}}}}},
                }}}}},
            }
        },
        "/notes": {
            "post": {
                "operationId": "addNote",
                "summary": "Leave a note for the staff",
                "requestBody": {"required": True, "content": {"application/json": {"schema": {
                    "type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}}},
                "responses": {"201": {"description": "Kept"}},
            }
        },
    },
}


class Shop(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path == "/openapi.json":
            return self.answer(200, DESCRIPTION)
        if self.headers.get("X-Key") != KEY:
            return self.answer(401, {"error": "the key is missing or wrong"})
        if path == "/orders":
            least = float(query.removeprefix("least=") or 0)
            orders = [{"id": n + 1, "value": value} for n, value in enumerate(ORDERS) if value >= least]
            return self.answer(200, {"orders": orders})
        if path == "/notes":
            return self.answer(200, {"notes": NOTES})
        self.answer(404, {"error": "there is no such page"})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("X-Key") != KEY:
            return self.answer(401, {"error": "the key is missing or wrong"})
        NOTES.append(json.loads(body)["text"])
        self.answer(201, {"kept": len(NOTES)})

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
