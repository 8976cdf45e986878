"""Work that outlives whoever started it. The burn-in overwrites the first stretch of the last disk."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from host.base import CommandFailed, Host
from host.commands.disks.partition import UdevSettle, WipeSignatures, WritePartition
from host.commands.units import ListUnits, ReadBurnIn, StartBlink, StartBurnIn, StopUnit
from host.inventory import BurnIn, Disk, Unit
from host.probe.units import claim, parse_list_units, read_burn_in
from tests.contract.conftest import again, prepare
from tests.contract.waiting import first_answer

_LONGEST_S = 90.0


@pytest.fixture(scope="module")
def last(host: Host, disks: tuple[Disk, ...]) -> Iterator[Disk]:
    """A disk with nothing on it; prepared again afterwards, as the other tests expect it."""
    disk = again(host, disks[-1])
    _wipe(host, disk)
    yield disk
    prepare(host, disk)


@pytest.fixture
def blank(host: Host, last: Disk) -> Iterator[Disk]:
    """That disk; nothing runs for it afterwards."""
    yield last
    for kind in ("blink", "burn-in"):
        host.run(StopUnit(kind=kind, serial=last.serial or ""))
    host.run(UdevSettle())


def _wipe(host: Host, disk: Disk) -> None:
    host.run(WipeSignatures(disk=disk.link, partitions=tuple(p.number for p in disk.partitions if p.number)))
    host.run(UdevSettle())


def _burn_in(host: Host, disk: Disk) -> BurnIn:
    found = read_burn_in(host, disk.serial or "")
    assert found is not None
    return found


def _units(host: Host, disk: Disk) -> list[Unit]:
    return [unit for unit in parse_list_units(host.run(ListUnits()).stdout) if unit.serial == disk.serial]


@pytest.mark.core
def test_a_blink_runs_is_listed_and_ends_by_itself(host: Host, blank: Disk) -> None:
    said = host.run(StartBlink(disk=blank.link, serial=blank.serial or "", seconds=5)).stderr
    assert said.startswith(f"Running as unit: nasweb-disk-blink-{blank.serial}.service")
    assert _units(host, blank) == [Unit(kind="blink", serial=blank.serial or "", state="running")]
    first_answer(
        host, lambda: parse_list_units(host.run(ListUnits()).stdout) == () or None, limit_s=_LONGEST_S
    )


def test_a_blink_is_stopped_and_stopping_it_again_is_no_failure(host: Host, blank: Disk) -> None:
    start = StartBlink(disk=blank.link, serial=blank.serial or "", seconds=600)
    host.run(start)
    with pytest.raises(CommandFailed, match="was already loaded") as second:
        host.run(start)
    assert second.value.result.exit == 1
    stop = StopUnit(kind="blink", serial=blank.serial or "")
    assert [host.run(stop).exit, host.run(stop).exit] == [0, 5]
    assert _units(host, blank) == []


@pytest.mark.parametrize("kind", [StartBlink, StartBurnIn])
def test_a_disk_with_another_serial_is_refused(
    host: Host, blank: Disk, kind: type[StartBlink | StartBurnIn]
) -> None:
    more = {"seconds": 5} if kind is StartBlink else {}
    with pytest.raises(CommandFailed, match=r"Job for nasweb-disk-.*-WD-NOBODY\.service failed") as no:
        host.run(kind(disk=blank.link, serial="WD-NOBODY", **more))
    assert no.value.result.exit == 1
    why = f"{blank.link} leads to the disk with serial {blank.serial}, not to WD-NOBODY."
    assert no.value.result.stderr.splitlines()[-1] == why
    assert parse_list_units(host.run(ListUnits()).stdout) == ()
    assert read_burn_in(host, "WD-NOBODY") is None


def test_a_disk_that_is_not_blank_is_not_burnt_in(host: Host, blank: Disk) -> None:
    host.run(WritePartition(disk=blank.link, size_mib=1024))
    host.run(UdevSettle())
    with pytest.raises(CommandFailed, match=r"Job for nasweb-disk-.* failed") as no:
        host.run(StartBurnIn(disk=blank.link, serial=blank.serial or ""))
    assert no.value.result.stderr.splitlines()[-1] == f"{blank.link} is not blank: partition 1."
    host.run(UdevSettle())  # it was opened for writing, so udev reads its table again
    found = again(host, blank)
    _wipe(host, found)
    assert [part.number for part in found.partitions] == [1]


def test_a_burn_in_writes_holds_its_disk_and_says_when_it_was_stopped(host: Host, blank: Disk) -> None:
    host.run(StartBurnIn(disk=blank.link, serial=blank.serial or ""))
    report = _burn_in(host, blank)
    assert (report.verdict, report.size_bytes) == (None, blank.size_bytes)
    (held,) = claim((again(host, blank),), parse_list_units(host.run(ListUnits()).stdout))
    assert [claim.kind for claim in held.claims if claim.active] == ["burn-in"]
    with pytest.raises(CommandFailed, match="Device or resource busy"):
        host.run(WipeSignatures(disk=blank.link))
    first_answer(host, lambda: ((now := _burn_in(host, blank)).phase == "write" and now.percent > 0) or None)
    host.run(StopUnit(kind="burn-in", serial=blank.serial or ""))
    host.run(UdevSettle())
    report = _burn_in(host, blank)
    assert (report.phase, report.verdict, report.mismatches) == ("write", "stopped", 0)
    assert report.words.startswith("It was stopped when ")
    free = again(host, blank)
    assert (free.free, free.partitions) == (True, ())


def test_a_disk_that_was_never_burnt_in_has_no_report(host: Host) -> None:
    assert host.run(ReadBurnIn(serial="WD-NEVER-TRIED")).exit == 1
    assert read_burn_in(host, "WD-NEVER-TRIED") is None
