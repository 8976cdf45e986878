"""Units on simulated disks: they progress over time, which the tests advance."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from host.base import CommandFailed
from host.commands.disks.partition import WipeSignatures, WritePartition
from host.commands.units import StartBlink, StartBurnIn, StopUnit
from host.inventory import BurnIn, Disk
from host.probe.units import read_burn_in
from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.__main__ import main


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    return SimulatedHost(tmp_path / "machine.json", "home")


@pytest.fixture
def disk(host: SimulatedHost) -> Disk:
    return probe(host).disks[0]


def _burn(host: SimulatedHost, disk: Disk) -> None:
    host.run(StartBurnIn(disk=disk.link, serial=disk.serial or ""))


def _burn_in(host: SimulatedHost, disk: Disk) -> BurnIn:
    found = read_burn_in(host, disk.serial or "")
    assert found is not None
    return found


def test_a_blink_ends_by_itself(host: SimulatedHost, disk: Disk) -> None:
    host.run(StartBlink(disk=disk.link, serial=disk.serial or "", seconds=60))
    assert [(unit.kind, unit.serial) for unit in probe(host).units] == [("blink", disk.serial)]
    assert probe(host).disks[0].free
    host.pass_time(61)
    assert probe(host).units == ()


def test_one_unit_of_a_kind_runs_on_a_disk(host: SimulatedHost, disk: Disk) -> None:
    start = StartBlink(disk=disk.link, serial=disk.serial or "", seconds=60)
    host.run(start)
    with pytest.raises(CommandFailed, match="was already loaded"):
        host.run(start)
    host.run(StopUnit(kind="blink", serial=disk.serial or ""))
    host.run(start)


@pytest.mark.parametrize("kind", ["blink", "burn-in"])
def test_link_and_serial_must_belong_together(host: SimulatedHost, disk: Disk, kind: str) -> None:
    other = probe(host).disks[1].serial or ""
    blink = StartBlink(disk=disk.link, serial=other, seconds=5)
    with pytest.raises(CommandFailed, match=r"Job for nasweb-disk-.* failed"):
        host.run(blink if kind == "blink" else StartBurnIn(disk=disk.link, serial=other))
    assert probe(host).units == ()


def test_a_sleeping_disk_is_not_woken_to_blink(host: SimulatedHost, disk: Disk) -> None:
    host.sleep(disk.id)
    with pytest.raises(
        CommandFailed, match=r"Job for nasweb-disk-.* failed(.|\n)*is asleep, and is not woken"
    ):
        host.run(StartBlink(disk=disk.link, serial=disk.serial or "", seconds=5))


def test_a_burn_in_goes_through_its_phases_to_a_verdict(host: SimulatedHost, disk: Disk) -> None:
    _burn(host, disk)
    seen = []
    for _ in range(3):
        report = _burn_in(host, disk)
        seen.append((report.phase, report.verdict, bool(report.writing), bool(report.reading)))
        host.pass_time(45)
    assert seen == [
        ("self-test", None, False, False), ("write", None, True, False), ("verify", None, True, True),
    ]  # fmt: skip
    report = _burn_in(host, disk)
    assert (report.phase, report.percent, report.verdict, len(report.writing), len(report.reading)) == (
        "done", 100.0, "passed", 200, 200,
    )  # fmt: skip
    assert report.size_bytes == disk.size_bytes
    # Outer tracks are faster.
    assert report.reading[0].bytes_per_second > 1.8 * report.reading[-1].bytes_per_second
    assert probe(host).disks[0].free


def test_a_disk_under_a_burn_in_is_in_use(host: SimulatedHost, disk: Disk) -> None:
    _burn(host, disk)
    assert [claim.kind for claim in probe(host).disks[0].claims if claim.active] == ["burn-in"]
    with pytest.raises(CommandFailed, match="Device or resource busy"):
        host.run(WipeSignatures(disk=disk.link))


def test_a_disk_that_is_not_blank_is_refused_until_it_is_wiped(host: SimulatedHost, disk: Disk) -> None:
    host.run(WritePartition(disk=disk.link, size_mib=1024))
    with pytest.raises(CommandFailed, match=r"Job for nasweb-disk-.* failed"):
        _burn(host, disk)
    host.run(WipeSignatures(disk=disk.link, partitions=(1,)))
    _burn(host, disk)


def test_a_burn_in_can_be_stopped_and_started_again(host: SimulatedHost, disk: Disk) -> None:
    _burn(host, disk)
    host.pass_time(41)
    host.run(StopUnit(kind="burn-in", serial=disk.serial or ""))
    report = _burn_in(host, disk)
    assert (report.phase, report.verdict) == ("write", "stopped")
    assert re.fullmatch(r"It was stopped when 4\d % of the writing was done\.", report.words)
    host.pass_time(200)
    assert _burn_in(host, disk).percent == report.percent
    _burn(host, disk)
    assert _burn_in(host, disk).verdict is None


def test_a_weak_disk_fails(host: SimulatedHost, disk: Disk) -> None:
    host.weaken(disk.id)
    _burn(host, disk)
    host.pass_time(130)
    report = _burn_in(host, disk)
    assert (report.verdict, report.mismatches) == ("failed", 3)
    assert "3 blocks of 4 KiB read back differently than written" in report.words


def test_a_disk_can_be_made_weak_by_hand(host: SimulatedHost, disk: Disk, tmp_path: Path) -> None:
    assert main(["weaken", "--state", str(tmp_path / "machine.json"), disk.id]) == 0
    _burn(host, disk)
    host.pass_time(130)
    assert _burn_in(host, disk).verdict == "failed"


def test_a_disk_pulled_meanwhile_fails(host: SimulatedHost, disk: Disk) -> None:
    _burn(host, disk)
    host.pass_time(95)
    host.pull(disk.id)
    report = _burn_in(host, disk)
    assert (report.phase, report.verdict) == ("verify", "failed")
    assert "Input/output error" in report.words
    assert probe(host).units == ()


def test_a_restart_cuts_a_burn_in_off(host: SimulatedHost, disk: Disk) -> None:
    _burn(host, disk)
    host.pass_time(45)
    host.shuffle()
    report = _burn_in(host, disk)
    assert (report.phase, report.verdict) == ("write", "stopped")
    assert "without a word" in report.words
