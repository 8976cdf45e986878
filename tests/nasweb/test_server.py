"""The plain server: whoever connects and sends nothing, or half of a request, takes no thread."""

from __future__ import annotations

import selectors
import socket
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import pytest
from gunicorn.config import Config

from nasweb.server import HEAD_S, Worker


class Bench:
    """A worker that notes which connections would get a thread."""

    def __init__(self) -> None:
        self.worker: Any = object.__new__(Worker)
        self.worker.cfg = Config()
        self.worker.nr_conns = 0
        self.worker.pending_conns = deque()
        self.worker.poller = selectors.DefaultSelector()
        self.threads: list[Any] = []
        self.worker.enqueue_req = self.threads.append
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.clients: list[socket.socket] = []

    def connect(self) -> socket.socket:
        client = socket.create_connection(self.listener.getsockname())
        self.clients.append(client)
        self.worker.accept(self.listener)
        return client

    def turn(self, timeout: float = 5.0) -> None:
        self.worker.wait_for_and_dispatch_events(timeout)

    def close(self) -> None:
        for one in (*self.clients, *(each.sock for each in self.worker.pending_conns)):
            one.close()
        for taken in self.threads:
            taken.sock.close()
        self.listener.close()
        self.worker.poller.close()


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


def test_connections_that_send_nothing_take_no_thread(bench: Bench) -> None:
    for _ in range(40):
        bench.connect()
    client = bench.connect()
    client.sendall(b"GET / HTTP/1.1\r\nHost: nas\r\n\r\n")
    bench.turn()
    assert len(bench.threads) == 1 and bench.worker.nr_conns == 41


def test_half_a_head_takes_none_and_wakes_nobody_again(bench: Bench) -> None:
    client = bench.connect()
    client.sendall(b"GET / HTTP/1.1\r\n")
    bench.turn()
    bench.turn(0)
    assert bench.threads == [] and bench.worker.poller.select(0) == []
    client.sendall(b"Host: nas\r\n\r\n")
    bench.turn()
    assert len(bench.threads) == 1
    assert bench.threads[0].sock.recv(100) == b"GET / HTTP/1.1\r\nHost: nas\r\n\r\n", "nothing was removed"


def test_a_client_that_leaves_is_noticed(bench: Bench) -> None:
    client = bench.connect()
    client.sendall(b"GET / HT")
    bench.turn()
    client.close()
    bench.turn()
    assert len(bench.threads) == 1, "the parser finds the end, and the connection is closed"


def test_who_does_not_come_to_an_end_is_closed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.connect().sendall(b"GET / HTTP/1.1\r\n")
    bench.turn()
    later = time.monotonic() + HEAD_S + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    bench.worker.murder_pending()
    assert bench.worker.nr_conns == 0 and not bench.worker.pending_conns
