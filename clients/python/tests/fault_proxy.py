"""A proxy before the service that loses, delays and breaks answers."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

PASS = "pass"
# The service hears nothing.
CUT_BEFORE = "cut before"
REFUSE_503 = "503 with Retry-After"
REFUSE_429 = "429"
HTML_404 = "404 of something else"
# The service has answered.
LOSE_ANSWER = "lose answer"
CUT_ANSWER = "cut answer"
HTML_502 = "502 after"
HOLD_ANSWER = "hold answer"
# A stream: the first event passes.
CUT_STREAM = "cut stream"

RETRY_AFTER_SECONDS = 1
POLL_SECONDS = 0.02


@dataclass(frozen=True)
class Seen:
    method: str
    path: str
    headers: dict[str, str]
    fault: str


@dataclass
class FaultProxy:
    service_url: str
    seen: list[Seen] = field(default_factory=list[Seen])
    decide: Callable[[str, str], str] = lambda method, path: PASS
    url: str = ""

    def faults(self, method: str, path_part: str, *faults: str) -> None:
        """The first request that matches gets the first fault, and so on; all others pass."""
        left = list(faults)
        lock = threading.Lock()

        def decide(one: str, path: str) -> str:
            with lock:
                return left.pop(0) if left and one == method and path_part in path else PASS

        self.decide = decide

    def sent(self, method: str, path_part: str) -> list[Seen]:
        return [one for one in self.seen if one.method == method and path_part in one.path]


def open_fault_proxy(service_url: str) -> tuple[FaultProxy, Callable[[], None]]:
    proxy = FaultProxy(service_url)
    closing = threading.Event()
    target = urlsplit(service_url)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_any(self) -> None:
            body = self._read_body()
            headers = {name.lower(): value for name, value in self.headers.items()}
            fault = proxy.decide(self.command, self.path)
            proxy.seen.append(Seen(self.command, self.path, headers, fault))
            if fault == CUT_BEFORE:
                return self._cut()
            if fault in (REFUSE_503, REFUSE_429, HTML_404):
                return self._refuse(fault)
            upstream = http.client.HTTPConnection(target.hostname or "", target.port)
            try:
                upstream.request(self.command, self.path, body, {**headers, "connection": "close"})
                answer = upstream.getresponse()
                if fault in (PASS, CUT_STREAM):
                    return self._pass(answer, cut_after_first=fault == CUT_STREAM)
                whole = answer.read()
                if fault == HOLD_ANSWER:
                    closing.wait(60)
                    return self._cut()
                if fault == HTML_502:
                    return self._refuse(fault)
                if fault == CUT_ANSWER:
                    self._head(answer.status, [*answer.getheaders(), ("content-length", str(len(whole)))])
                    self.wfile.write(whole[: len(whole) // 2])
                    self.wfile.flush()
                self._cut()
            finally:
                upstream.close()

        do_GET = do_POST = do_PUT = do_DELETE = handle_any

        def _read_body(self) -> bytes | None:
            if self.headers.get("transfer-encoding") == "chunked":
                parts: list[bytes] = []
                while size := int(self.rfile.readline(), 16):
                    parts.append(self.rfile.read(size))
                    self.rfile.readline()
                self.rfile.readline()
                del self.headers["transfer-encoding"]
                self.headers["content-length"] = str(sum(map(len, parts)))
                return b"".join(parts)
            length = int(self.headers.get("content-length", 0))
            return self.rfile.read(length) if length else None

        def _pass(self, answer: http.client.HTTPResponse, *, cut_after_first: bool) -> None:
            self._head(answer.status, answer.getheaders(), is_stream=answer.length is None)
            while chunk := answer.read1(65_536):
                self.wfile.write(chunk)
                self.wfile.flush()
                if cut_after_first:
                    break
            self._cut()

        def _head(self, status: int, headers: list[tuple[str, str]], *, is_stream: bool = False) -> None:
            self.send_response_only(status)
            written: set[str] = set()
            for name, value in headers:
                if name.lower() in written or name.lower() in ("connection", "transfer-encoding"):
                    continue
                written.add(name.lower())
                self.send_header(name, value)
            self.send_header("connection", "close")
            self.end_headers()

        def _refuse(self, fault: str) -> None:
            self.close_connection = True
            if fault in (HTML_502, HTML_404):
                status, kind, text = (
                    int(fault[:3]) if fault == HTML_404 else 502,
                    "text/html",
                    "<h1>Something else</h1>",
                )
            else:
                status, kind, text = int(fault[:3]), "application/json", json.dumps(_refusal(int(fault[:3])))
            body = text.encode()
            self.send_response_only(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            if fault == REFUSE_503:
                self.send_header("retry-after", str(RETRY_AFTER_SECONDS))
            self.end_headers()
            self.wfile.write(body)

        def _cut(self) -> None:
            self.close_connection = True
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            # Clients that give up are what these tests are about.
            pass

    server = Server(("127.0.0.1", 0), Handler)
    proxy.url = f"http://127.0.0.1:{server.server_address[1]}"
    # Closing waits for the end of a poll.
    threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True).start()

    def close() -> None:
        closing.set()
        server.shutdown()
        server.server_close()

    return proxy, close


def _refusal(status: int) -> dict[str, Any]:
    code = "service_unavailable" if status == 503 else "rate_limited"
    return {
        "error": {
            **{"status": status, "code": code, "message": "Later.", "param": None, "details": []},
            **{"retryable": True, "request_id": "req_1", "docs_url": "http://127.0.0.1/docs"},
        },
        "timestamp": "2026-11-20T03:06:00.000Z",
    }
