"""The dead man's ping: asked while all runs, by the address that was checked, and its failure is told."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import pytest

from alerts.channels import keys
from alerts.doctor.examine import examine
from alerts.evidence import Evidence, FailingPing
from alerts.ping import asking, pinging, stored
from alerts.ping.due import all_runs, is_due
from alerts.ping.models import Ping
from alerts.ping.requests import PingSettings, SetPing, changed
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import AuditEvent
from jobs.plan import Refused
from tests import made
from tests.alerts.channels.receivers import hanging, https, self_signed
from tests.alerts.channels.sinks import HttpSink, listening

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
URL = "https://hc-ping.com/0f2c-s3cret-path"


def ask(url: str, *, trusted_only: bool = True, whole_s: float = 5.0) -> str:
    return asking.ask(url, lambda _: "", trusted_only=trusted_only, whole_s=whole_s)


def test_it_is_one_get_without_a_redirect() -> None:
    with listening(HttpSink()) as sink:
        assert ask(f"{sink.url}/ping/abc?rid=1#x") == ""
        sink.status = 302
        moved = ask(f"{sink.url}/moved")
        sink.status = 500
        broken = ask(f"{sink.url}/broken")
    assert [path for path, _, _ in sink.taken] == ["/ping/abc?rid=1", "/moved", "/broken"]
    headers = sink.taken[0][1]
    assert (headers["Host"], headers["User-Agent"]) == (sink.url.removeprefix("http://"), "Nasweb")
    assert moved == "The server answered with a redirect (302), which is not followed. Enter where it leads."
    assert broken == "The server answered with status 500."


def test_it_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that means something else at the next look-up leads nowhere else."""
    looked_up: list[str] = []
    with listening(HttpSink()) as sink:
        port = sink.server_port

        def answer(host: str, *_: Any, **__: Any) -> list[Any]:
            looked_up.append(host)
            address = "127.0.0.1" if len(looked_up) == 1 else "192.0.2.1"
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

        monkeypatch.setattr("socket.getaddrinfo", answer)
        real = socket.create_connection
        reached: list[Any] = []

        def connect(to: Any, timeout: float) -> socket.socket:
            reached.append(to)
            monkeypatch.undo()
            return real(to, timeout=timeout)

        monkeypatch.setattr("socket.create_connection", connect)
        assert ask(f"http://ping.example.org:{port}/x") == ""
    assert (looked_up, reached) == (["ping.example.org"], [("127.0.0.1", port)])
    assert sink.taken[0][1]["Host"] == f"ping.example.org:{port}"


def test_an_address_that_is_refused_is_not_reached() -> None:
    with listening(HttpSink()) as sink:
        said = asking.ask(f"{sink.url}/x", lambda address: f"not {address}", trusted_only=True)
    assert (said, sink.taken) == ("not 127.0.0.1", [])


def test_a_certificate_must_be_trusted_unless_that_was_said(tmp_path: Path) -> None:
    with https(self_signed(tmp_path)) as sink:
        assert ask(f"{sink.url}/x") == "The server's certificate is not trusted by this machine."
        assert ask(f"{sink.url}/x", trusted_only=False) == ""
    assert len(sink.taken) == 1


@contextmanager
def dripping(piece: bytes) -> Iterator[int]:
    """The port of a server that sends `piece` again and again, and never comes to an end."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            taken, _ = server.accept()
            with taken:
                try:
                    taken.sendall(b"HTTP/1.1 200 OK\r\n")
                    while True:
                        taken.sendall(piece)
                except OSError:
                    return

        thread = Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


def test_who_hangs_or_never_ends_is_left() -> None:
    with hanging() as port:
        assert ask(f"http://127.0.0.1:{port}/", whole_s=0.1) == "The server did not answer in time."
        assert ask(f"https://127.0.0.1:{port}/", whole_s=0.1) == "The server did not answer in time."
        gone = port
    assert ask(f"http://127.0.0.1:{gone}/") == "The server refused the connection: nothing listens there."
    with dripping(b"X-Padding: yes\r\n") as port:
        assert ask(f"http://127.0.0.1:{port}/").startswith("The server's answer was cut off")
    with dripping(b"\r\n" + b"x" * 65536) as port:
        assert ask(f"http://127.0.0.1:{port}/") == ""  # little is read of it


def test_when_it_is_due() -> None:
    assert is_due(None, 5, NOON)
    assert not is_due(NOON - timedelta(minutes=4, seconds=59), 5, NOON)
    assert is_due(NOON - timedelta(minutes=5), 5, NOON)
    assert is_due(NOON + timedelta(days=1), 60, NOON)  # the clock was set back
    assert all_runs(NOON - timedelta(minutes=4), NOON)
    assert not all_runs(NOON - timedelta(minutes=6), NOON)
    assert not all_runs(None, NOON)


def refused(request: SetPing, before: PingSettings = PingSettings()) -> dict[str, str]:  # noqa: B008
    with pytest.raises(Refused) as caught:
        changed(request, before)
    return {finding.field: finding.code for finding in caught.value.findings}


@pytest.mark.parametrize(
    "url",
    ["", "ftp://example.org/", "https://", "http://localhost/x", "http://169.254.169.254/", "http://127.1/",
     "https://a:b@example.org/x", "https://example.org/a b", "https://example.org:99999/", "x" * 1001],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(url: str) -> None:
    assert set(refused(SetPing(fields={"url": url}))) == {"fields.url"}


def test_a_change_keeps_the_address_but_not_for_another_certificate_rule() -> None:
    before = PingSettings(kept=True, goes_to="hc-ping.com")
    after = changed(SetPing(every_minutes=30, paused=True, fields={"url": ""}), before)
    assert (after.kept, after.url, after.every_minutes, after.paused) == (True, "", 30, True)
    assert refused(SetPing(fields={"certificate": "any"}), before) == {"fields.url": "secret-again"}
    moved = changed(SetPing(fields={"certificate": "any", "url": "http://192.168.1.9/x"}), before)
    assert (moved.kept, moved.goes_to) == (False, "192.168.1.9")
    assert set(refused(SetPing(fields={"colour": "red"}), before)) == {"fields.colour"}


class Asked:
    """Stands in for the network: keeps what it was asked."""

    def __init__(self) -> None:
        self.urls: list[str] = []
        self.fault = ""

    def __call__(self, url: str, trusted_only: bool) -> str:
        assert trusted_only
        self.urls.append(url)
        return self.fault


@pytest.fixture
def probed(simulated: SimulatedHost, settings: Any, tmp_path: Path) -> datetime:
    """The time of the last probe; a ping every five minutes is set up."""
    settings.NASWEB_CHANNEL_KEY = tmp_path / "channels.key"
    keys.publish()
    stored.store(stored.wanted(SetPing(fields={"url": URL})), "admin")
    inventory = cache.current()
    assert inventory is not None
    return datetime.fromisoformat(inventory.as_of)


def test_it_is_asked_in_its_interval_while_the_machine_is_probed(probed: datetime) -> None:
    asked = Asked()
    minutes = (0, 1, 4.9, 5, 5.1, 6)
    assert [pinging.tick(probed + timedelta(minutes=m), asked) for m in minutes] == [
        True, False, False, True, False, False,
    ]  # fmt: skip
    assert asked.urls == [URL, URL]
    assert not pinging.tick(probed + timedelta(minutes=30), asked)  # nothing was probed for long
    row = Ping.objects.get()
    assert (row.last_good_at, row.failing_since) == (probed + timedelta(minutes=5), None)


@pytest.mark.parametrize("change", [{"paused": True}, {"enabled": False}])
def test_in_maintenance_nobody_is_asked(probed: datetime, change: dict[str, Any]) -> None:
    Ping.objects.update(failing_since=probed)
    stored.store(stored.wanted(SetPing(**change)), "admin")
    asked = Asked()
    assert (pinging.tick(probed, asked), asked.urls, stored.care()) == (False, [], None)


def test_a_failure_is_told_until_it_is_answered_again(probed: datetime) -> None:
    asked = Asked()
    asked.fault = "The server answered with status 500."
    pinging.tick(probed, asked)
    asked.fault = "The server did not answer in time."
    pinging.tick(probed + timedelta(minutes=5), asked)
    row = Ping.objects.get()
    assert (row.failing_since, row.last_error) == (probed, asked.fault)
    assert stored.care() is not None
    Ping.objects.update(last_try_at=None)
    asked.fault = ""
    pinging.tick(probed, asked)
    assert stored.care() is None


def test_a_finding_says_it() -> None:
    inventory = msgspec.structs.replace(made.inventory(), as_of=NOON.isoformat())
    ping = FailingPing(goes_to="hc-ping.com", since="2026-11-21T11:00:00Z", said="No.")
    (finding,) = [one for one in examine(inventory, Evidence(ping=ping)).findings if one.code == "ping-fails"]
    assert finding.title == "The dead man's ping to hc-ping.com is not answered"
    assert finding.fix[0].page == "/settings/notifications/ping/"


def test_its_address_is_in_no_row_and_no_log(probed: datetime) -> None:
    pinging.tick(probed, Asked())
    rows = [*Ping.objects.values(), *AuditEvent.objects.values()]
    assert "s3cret" not in repr(rows)
    assert "hc-ping.com" in repr(rows)


def test_one_that_was_sealed_for_another_machine_says_so(
    probed: datetime, settings: Any, tmp_path: Path
) -> None:
    settings.NASWEB_CHANNEL_KEY = tmp_path / "other.key"
    asked = Asked()
    pinging.tick(probed, asked)
    assert (asked.urls, "encrypted for another machine" in Ping.objects.get().last_error) == ([], True)


def test_the_worker_refuses_this_machine_before_it_asks(
    probed: datetime, settings: Any, tmp_path: Path
) -> None:
    settings.NASWEB_MESSAGES_TO_ITSELF = True
    with listening(HttpSink()) as sink:
        stored.store(stored.wanted(SetPing(fields={"url": f"{sink.url}/x"})), "admin")
        assert pinging.tick(probed)
        settings.NASWEB_MESSAGES_TO_ITSELF = False
        Ping.objects.update(last_try_at=None)
        assert pinging.tick(probed)
    assert (len(sink.taken), "the NAS itself" in Ping.objects.get().last_error) == (1, True)


def test_tls_is_not_older_than_the_machine_allows() -> None:
    assert asking._context(trusted_only=True).verify_mode is ssl.CERT_REQUIRED
