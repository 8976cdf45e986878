"""The journal reaches a log server by TCP and TLS, waits while one is away, and then stays here once more."""

from __future__ import annotations

import socketserver
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from tests.alerts.channels.receivers import signer
from tests.lab.console import Console
from tests.lab.machine import Machine
from tests.lab.new_machine import failed_units
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
HOST, NAME = "10.0.2.2", "logs.drill"  # the computer that runs the machine, as QEMU shows it to its guests
TARGET = "system/settings/log-target/"
UNIT = "nasweb-log-forward"


class LogServer(socketserver.ThreadingTCPServer):
    """Keeps all that it is sent, and counts its connections."""

    allow_reuse_address = True

    def __init__(self, port: int, context: ssl.SSLContext | None) -> None:
        super().__init__(("127.0.0.1", port), Reader)
        self.context, self.received, self.connections = context, bytearray(), 0
        self.ended = Event()

    def get_request(self) -> tuple[Any, Any]:
        """A connection, with TLS where there is a certificate."""
        connection, address = super().get_request()
        self.connections += 1
        if self.context is None:
            return connection, address
        connection.settimeout(20)
        return self.context.wrap_socket(connection, server_side=True), address


class Reader(socketserver.BaseRequestHandler):
    """One connection; it ends with the server."""

    server: LogServer

    def handle(self) -> None:
        self.request.settimeout(1)
        while not self.server.ended.is_set():
            try:
                found = self.request.recv(65536)
            except TimeoutError:
                continue
            except OSError:
                break
            if not found:
                break
            self.server.received += found


@contextmanager
def log_server(port: int = 0, context: ssl.SSLContext | None = None) -> Iterator[LogServer]:
    """One on this computer; at its end nothing listens there, and every connection is closed."""
    with LogServer(port, context) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.ended.set()
        server.shutdown()


@pytest.fixture
def target(machine: Machine, console: Console) -> Iterator[None]:
    """A machine whose journal stays there, before and after."""
    console.fresh()
    assert console.get(TARGET)["protocol"] == "off"
    yield
    if console.get(TARGET)["protocol"] != "off":
        console.do("PUT", TARGET, {"protocol": "off"})


def say(machine: Machine, words: str) -> None:
    machine.run(["logger", "--tag", "drill", words])


def arrives(server: LogServer, words: str) -> None:
    until(lambda: words.encode() in server.received, limit_s=180)


def sent(machine: Machine, console: Console, server: LogServer, words: str) -> None:
    """The journal goes to that server by TCP, and `words` have arrived there."""
    set_target(console, server, "tcp", HOST)
    say(machine, words)
    arrives(server, words)


def set_target(console: Console, server: LogServer, protocol: str, host: str, **more: str) -> None:
    body = {"protocol": protocol, "host": host, "port": server.server_address[1], **more}
    console.do("PUT", TARGET, body)


def test_what_the_journal_gets_arrives_and_waits_for_a_server_that_is_away(
    machine: Machine, console: Console, target: None
) -> None:
    with log_server() as server:
        sent(machine, console, server, "the first line")
        (line,) = (one for one in server.received.decode().splitlines() if "the first line" in one)
        # RFC 5424 with octets counted: its length, priority user.notice, version, time, host, who said it.
        _, priority, _, host, who = line.split()[:5]
        assert (priority, host, who) == ("<13>1", machine.run("hostname").stdout.strip(), "drill")
        port = server.server_address[1]
    say(machine, "the second line")
    machine.run(["systemctl", "is-active", UNIT])
    with log_server(port) as server:
        say(machine, "the third line")
        arrives(server, "the third line")
        assert b"the second line" in server.received
        console.do("PUT", TARGET, {"protocol": "off"})
        assert machine.run(["systemctl", "is-active", UNIT], check=False).stdout.strip() == "inactive"
        before = len(server.received)
        say(machine, "the last line")
        machine.run("journalctl --sync")
        assert len(server.received) == before
    assert failed_units(machine) == ""


def test_tls_holds_the_server_to_its_name(
    machine: Machine, console: Console, target: None, tmp_path: Path
) -> None:
    machine.run(f"echo {HOST} {NAME} other.drill >> /etc/hosts")
    context, authority = signer(tmp_path, NAME)
    with log_server(context=context) as server:
        set_target(console, server, "tls", "other.drill", authority=authority)
        say(machine, "not for others")
        until(lambda: server.connections > 1, limit_s=180)  # it tried, left, and tried again
        assert server.received == b""
        set_target(console, server, "tls", NAME, authority=authority)
        say(machine, "over TLS")
        arrives(server, "over TLS")


def test_a_restart_sends_nothing_again_from_the_beginning(
    machine: Machine, console: Console, target: None
) -> None:
    with log_server() as server:
        sent(machine, console, server, "before the restart")
        machine.run(["systemctl", "restart", UNIT])
        say(machine, "after the restart")
        arrives(server, "after the restart")
        assert server.received.count(b"before the restart") <= 2
        assert failed_units(machine) == ""
