"""A receiver of Darkroom's webhooks. It needs only Python 3.9 or newer:

    DARKROOM_URL=https://… DARKROOM_API_KEY=dk_live_… DARKROOM_WEBHOOK_SECRETS=whsec_… python3 receiver.py
"""

import base64
import contextlib
import hashlib
import hmac
import json
import os
import sqlite3
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL = os.environ.get("DARKROOM_URL", "http://127.0.0.1:8080")
API_KEY = os.environ.get("DARKROOM_API_KEY", "")
# Comma-separated: during a rotation put both secrets here.
SECRETS = [secret.strip() for secret in os.environ["DARKROOM_WEBHOOK_SECRETS"].split(",")]
ADDRESS = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8081")))
INBOX = os.environ.get("INBOX", "inbox.db")
TOLERANCE_SECONDS = 5 * 60
MAX_BODY_BYTES = 1_000_000
LOOK_EVERY_SECONDS = 10

arrived = threading.Event()


def verify(body, headers, now):
    """Verifies signature and age according to Standard Webhooks. The body must be the bytes as received."""
    message_id, timestamp, signatures = (
        headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")
    )
    if not (message_id and timestamp.isdecimal() and timestamp.isascii()):
        return False
    if abs(now - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    found = False
    for secret in SECRETS:
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for signature in signatures.split(" "):
            # Compare in constant time, so that timing does not reveal a signature.
            found |= hmac.compare_digest(expected, signature.encode())
    return found


class Receiver(BaseHTTPRequestHandler):
    """Verifies and stores the event. The work comes later, because the response is due within ten seconds."""

    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not verify(body, self.headers, time.time()):
            return self.answer(401)
        event = json.loads(body)
        # Batches and test events have types of their own.
        if not event["type"].startswith("task."):
            return self.answer(204)
        task = event["data"]
        # Store before the response. A repeated event has the same id and changes nothing.
        with open_inbox() as inbox:
            inbox.execute(
                "insert into inbox (webhook_id, task_path) values (?, ?) on conflict do nothing",
                (self.headers["webhook-id"], f"/v1/{task['type']}s/{task['task_id']}"),
            )
        self.answer(204)
        arrived.set()

    def answer(self, status):
        self.close_connection = True
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def open_inbox():
    inbox = sqlite3.connect(INBOX)
    try:
        with inbox:
            inbox.execute(
                "create table if not exists inbox"
                " (webhook_id text primary key, task_path text not null, done integer not null default 0)"
            )
            yield inbox
    finally:
        inbox.close()


def work_off():
    """Handles all open events. A failed one stays open and is retried later, also after a restart."""
    while True:
        arrived.clear()
        with open_inbox() as inbox:
            rows = inbox.execute("select webhook_id, task_path from inbox where done = 0 order by rowid").fetchall()
        for webhook_id, path in rows:
            try:
                task = fetch_task(path)
                if task is not None:
                    handle(task)
                with open_inbox() as inbox:
                    inbox.execute("update inbox set done = 1 where webhook_id = ?", (webhook_id,))
            except Exception as error:
                print(webhook_id, error, flush=True)
        arrived.wait(LOOK_EVERY_SECONDS)


def fetch_task(path):
    """Returns the current task with fresh file URLs; None if it was deleted."""
    request = urllib.request.Request(URL + path, headers={"authorization": f"Bearer {API_KEY}"})
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as error:
        if error.code == 404:
            return None
        raise


def handle(task):
    """Put your own work here. Store the id in the same database transaction as the work, so that a crash cannot do it twice."""
    print("handled", task["task_id"], task["status"], flush=True)


if __name__ == "__main__":
    threading.Thread(target=work_off, daemon=True).start()
    server = ThreadingHTTPServer(ADDRESS, Receiver)
    print(f"listens on http://{server.server_address[0]}:{server.server_address[1]}", flush=True)
    server.serve_forever()
