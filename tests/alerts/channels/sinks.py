"""Servers inside the test's own process that keep what they are sent."""

from __future__ import annotations

import json
import socketserver
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class HttpSink(ThreadingHTTPServer):
    """Answers each POST with `status`, and keeps path, headers and JSON; of a GET the path and headers."""

    status = 200
    scheme = "http"

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Keep)
        self.taken: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    @property
    def url(self) -> str:
        """Its address."""
        return f"{self.scheme}://127.0.0.1:{self.server_port}"


class _Keep(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

    def _answer(self, data: dict[str, Any]) -> None:
        assert isinstance(self.server, HttpSink)
        self.server.taken.append((self.path, dict(self.headers), data))
        self.send_response(self.server.status)
        if self.server.status // 100 == 3:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Silence."""


class MailSink(socketserver.ThreadingTCPServer):
    """Takes mail; keeps the envelope and the text. Refuses the address `nobody@example.org`."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Take)
        self.taken: list[tuple[list[str], str]] = []


class _Take(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        assert isinstance(self.server, MailSink)
        self._say("220 sink")
        envelope: list[str] = []
        while line := self.rfile.readline().decode().strip():
            verb = line[:4].upper()
            if verb in {"MAIL", "RCPT"}:
                if "nobody@" in line:
                    self._say("550 nobody lives here")
                    continue
                envelope.append(line)
            if verb == "DATA":
                self._say("354 go on")
                lines = iter(lambda: self.rfile.readline().decode().rstrip("\r\n"), ".")
                self.server.taken.append((envelope, "\n".join(lines)))
            self._say("221 bye" if verb == "QUIT" else "250 fine")
            if verb == "QUIT":
                return

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def listening[T: socketserver.TCPServer](sink: T) -> Iterator[T]:
    """`sink` while it answers."""
    thread = Thread(target=sink.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield sink
    finally:
        sink.shutdown()
        sink.server_close()
        thread.join()
