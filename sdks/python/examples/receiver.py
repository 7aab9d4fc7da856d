"""Receives finhook's webhooks and stores each event once.

    WEBHOOK_SECRET=whsec_… python receiver.py [port]

While the secret is rotated, set both, separated by a space.
"""

import json
import os
import sqlite3
import sys
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from finhook import RejectedWebhook, verify_webhook

MAX_BYTES = 4 * 1024 * 1024
SECRETS = os.environ["WEBHOOK_SECRET"].split()
DATABASE = os.environ.get("DATABASE", "events.db")


def store(event: "dict[str, object]") -> bool:
    """False for a duplicate: a delivery may arrive more than once."""
    with closing(sqlite3.connect(DATABASE)) as database, database:
        row = (event["id"], json.dumps(event))
        return database.execute("INSERT INTO events VALUES (?, ?) ON CONFLICT DO NOTHING", row).rowcount == 1


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if not length.isdecimal():
            return self.respond(411)
        size = int(length)
        if size > MAX_BYTES:
            return self.respond(413)
        body = self.rfile.read(size)  # The raw bytes: a parsed body cannot be verified.
        try:
            event = verify_webhook(body, self.headers, SECRETS)
        except RejectedWebhook as rejected:
            print(rejected, file=sys.stderr, flush=True)
            return self.respond(400, rejected.reason)
        # Process it later: the service waits for 15 seconds. If storing fails, it sends the event again.
        if store(event):
            print(event["type"], json.dumps(event["data"]), flush=True)
        self.respond(204)

    def respond(self, status: int, text: str = "") -> None:
        self.send_response(status)
        if status != 204:
            self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    with closing(sqlite3.connect(DATABASE)) as database, database:
        database.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY, body TEXT NOT NULL)")
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 4000), Receiver)
    print(f"Listening on http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
