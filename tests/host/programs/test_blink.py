"""The light's rhythm, and disks that are not made to blink."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.base import HostError, Result
from host.commands.base import Command
from host.probe.whole import probe
from host.programs import blink
from host.programs.blink import REFUSED, UNANSWERED, flicker, main, refuse_asleep
from host.programs.device import Unfit, confirm, confirm_open, opened
from host.simulated import SimulatedHost
from tests.host.programs.bench import MIB, Stopping, open_disk


@pytest.fixture
def disk() -> Iterator[int]:
    yield from open_disk(MIB)


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "home")


class Time:
    """Time that only waiting lets pass."""

    def __init__(self) -> None:
        self.now = 100.0
        self.rests: list[tuple[float, float]] = []  # when, and how long

    def clock(self) -> float:
        return self.now

    def wait(self, seconds: float) -> bool:
        if seconds > 0.1:
            self.rests.append((round(self.now - 100.0, 1), round(seconds, 1)))
        self.now += seconds
        return False


def test_a_second_of_reads_and_a_second_of_rest_take_turns(disk: int) -> None:
    time = Time()
    reads = flicker(disk, 5, clock=time.clock, wait=time.wait)
    assert time.rests == [(1.0, 1.0), (3.0, 1.0)]
    assert 290 <= reads <= 310  # three seconds of reads, 10 ms between them
    assert round(time.now, 1) == 105.0


def test_it_ends_when_it_is_asked_to(disk: int) -> None:
    assert flicker(disk, 600, clock=Time().clock, wait=Stopping(at=4).wait) == 4


def test_a_descriptor_for_reading_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "disk"
    path.write_bytes(b"precious" * 65536)
    descriptor, time = os.open(path, os.O_RDONLY), Time()
    flicker(descriptor, 3, clock=time.clock, wait=time.wait)
    os.close(descriptor)
    assert round(time.now) == 103
    assert path.read_bytes() == b"precious" * 65536


def test_a_sleeping_disk_is_refused(host: SimulatedHost) -> None:
    disk = probe(host).disks[0]
    refuse_asleep(host, disk)
    host.sleep(disk.id)
    with pytest.raises(Unfit, match="is asleep, and is not woken"):
        refuse_asleep(host, disk)


def test_a_disk_that_does_not_report_may_blink(host: SimulatedHost) -> None:
    class Mute:
        kind = "local"

        def run(self, command: Command) -> Result:
            raise HostError("smartctl: command not found")

    refuse_asleep(Mute(), probe(host).disks[0])


def test_link_and_serial_must_belong_together(host: SimulatedHost) -> None:
    one, other = probe(host).disks[:2]
    assert confirm(host, one.link, one.serial or "").path == one.path
    with pytest.raises(Unfit, match=f"leads to the disk with serial {one.serial}, not to {other.serial}"):
        confirm(host, one.link, other.serial or "")
    host.pull(one.id)
    with pytest.raises(Unfit, match="leads to no disk"):
        confirm(host, one.link, one.serial or "")


def test_of_two_disks_with_one_serial_none_is_taken(host: SimulatedHost) -> None:
    one = probe(host).disks[0]
    with host._store.change() as machine:
        machine.disks[1].serial = one.serial or ""
    with pytest.raises(Unfit, match=f"Two disks here say that they are {one.serial}"):
        confirm(host, one.link, one.serial or "")


def test_the_open_disk_must_be_the_confirmed_one() -> None:
    descriptor = os.open("/dev/null", os.O_RDONLY)
    try:
        confirm_open(descriptor, "/dev/null")
        for path in ("/dev/zero", "/dev/gone"):
            with pytest.raises(Unfit, match="changed in this moment"):
                confirm_open(descriptor, path)
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("number", "said"),
    [(16, "Something uses it"), (2, "No such file or directory"), (1, "Operation not permitted")],
)
def test_why_a_disk_cannot_be_opened_is_reported(
    monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(Unfit, match=said), opened("/dev/disk/by-id/ata-x", os.O_RDONLY):
        pass


class Whole:
    """`main` on a simulated machine whose first disk can really be opened: it is a file."""

    def __init__(self, host: SimulatedHost, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.host, self.disk = host, probe(host).disks[0]
        self.events: list[str] = []
        really, path = os.open, folder / "medium"
        path.write_bytes(bytes(MIB))

        def open_it(link: str, flags: int, *more: Any, **named: Any) -> int:
            if str(link).startswith("/dev/disk/by-id/"):
                assert flags & os.O_ACCMODE == os.O_RDONLY
                return really(path, os.O_RDONLY)
            return really(link, flags, *more, **named)

        monkeypatch.setattr(os, "open", open_it)
        monkeypatch.setattr(blink, "Stop", Stopping)
        monkeypatch.setattr(blink, "confirm_open", lambda descriptor, path: self.events.append(path))
        monkeypatch.setattr(blink, "ready", lambda: self.events.append("ready"))
        monkeypatch.setattr(blink, "flicker", self.flicker)
        self.fails = False

    def flicker(self, descriptor: int, seconds: float, **_: object) -> int:
        if self.fails:
            raise OSError(5, "Input/output error")
        self.events.append(f"{seconds} s")
        return 1

    def run(self) -> int:
        words = [f"--disk={self.disk.link}", f"--serial={self.disk.serial}", "--seconds=7"]
        return main(words, host=self.host)


@pytest.fixture
def whole(host: SimulatedHost, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Whole:
    return Whole(host, tmp_path, monkeypatch)


def test_systemd_is_notified_once_everything_was_checked(whole: Whole) -> None:
    assert whole.run() == 0
    assert whole.events == [whole.disk.path, "ready", "7 s"]


def test_a_refusal_comes_before_systemd_is_notified(whole: Whole, capsys: pytest.CaptureFixture[str]) -> None:
    whole.host.sleep(whole.disk.id)
    assert whole.run() == REFUSED
    assert "ready" not in whole.events
    assert capsys.readouterr().err == f"{whole.disk.link} is asleep, and is not woken for this.\n"


def test_a_disk_that_stops_answering_is_reported(whole: Whole, capsys: pytest.CaptureFixture[str]) -> None:
    whole.fails = True
    assert whole.run() == UNANSWERED
    assert capsys.readouterr().err == f"{whole.disk.link} does not answer: Input/output error.\n"
