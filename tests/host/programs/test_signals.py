"""How systemd is notified, and how it stops a program."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.programs.signals import Stop, ready


@pytest.fixture
def stop() -> Iterator[Stop]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield Stop()
    while signal.sigtimedwait((signal.SIGTERM, signal.SIGINT), 0):
        pass
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_is_noticed_and_not_forgotten(stop: Stop, number: signal.Signals) -> None:
    assert not stop.asked()
    signal.pthread_kill(threading.get_ident(), number)
    assert stop.wait(30)
    assert stop.asked()
    assert stop.asked()


def test_waiting_ends_with_its_time(stop: Stop) -> None:
    assert not stop.wait(0.001)


@pytest.mark.parametrize("abstract", [False, True])
def test_systemd_is_notified_that_the_work_begins(tmp_path: Path, abstract: bool) -> None:
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind(f"\0{name}" if abstract else name)
        listening.settimeout(5)
        ready({"NOTIFY_SOCKET": f"@{name}" if abstract else name})
        assert listening.recv(100) == b"READY=1"


def test_nobody_is_notified_where_nobody_listens() -> None:
    ready({})
