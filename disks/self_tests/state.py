"""How the disks of the machine stand with their self-tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from disks.identity import recognise
from disks.models import DiskRecord
from disks.records import all_records, burn_in_of, reading_of
from disks.self_tests import stored
from disks.self_tests.rules import Candidate
from disks.smart.overlay import STALE
from host.inventory import Disk, Inventory, MdArray, Pool, Vdev, leaves

_SETTLES = timedelta(seconds=90)  # until a reading shows the test that was started
_UNSEEN = timedelta(minutes=30)  # after which a test that no reading ever showed is not waited for
_WELL = {"ONLINE", "AVAIL", "INUSE"}
_SCANS = {"SCRUB": "is being scrubbed", "RESILVER": "is resilvering"}


class Standing(NamedTuple):
    """A disk, what is remembered of it, and what the rules read."""

    disk: Disk
    record: DiskRecord
    tested: Candidate


def standings(inventory: Inventory, now: datetime) -> tuple[Standing, ...]:
    """All disks that are here."""
    records = recognise(inventory.disks, all_records(gone=False))
    groups, busy = defaultdict(list), dict[str, str]()
    for disk_id, group, words in uses(inventory):
        groups[disk_id].append(group)
        if words:
            busy.setdefault(disk_id, words)
    return tuple(
        Standing(disk, record, _tested(disk, record, tuple(groups[disk.id]), busy.get(disk.id, ""), now))
        for disk in inventory.disks
        if (record := records.get(disk.id)) is not None
    )


def _tested(disk: Disk, record: DiskRecord, groups: tuple[str, ...], busy: str, now: datetime) -> Candidate:
    reading, burn_in = reading_of(record), burn_in_of(record)
    tried = stored.moments(record.tried)
    current = record.asked_at is not None and abs(now - record.asked_at) < STALE
    if any(claim.kind == "burn-in" for claim in disk.claims) or (burn_in and burn_in.verdict is None):
        busy = "Its burn-in is running."
    testing = disk.test_remaining_percent is not None or bool(reading and reading.testing and current)
    read_at = datetime.fromisoformat(reading.at) if reading else None
    last = stored.moments(record.tested)
    for kind, began in tried.items():
        unseen = read_at is None or read_at < began + _SETTLES
        ended = kind in last and last[kind] >= began
        testing |= unseen and not ended and timedelta(0) <= now - began < _UNSEEN
    return Candidate(
        id=disk.id, since=record.first_seen, groups=groups,
        offers=reading.self_tests if reading and reading.supported else None,
        asleep=record.asleep if current else None, testing=testing, busy=busy,
        schedule=stored.schedule_of(record), last=last, tried=tried,
    )  # fmt: skip


def uses(inventory: Inventory) -> Iterator[tuple[str, str, str]]:
    """Of each member of a vdev or array: its disk, what waits for it, and what goes on there."""
    for pool in inventory.pools:
        for top in pool.vdevs:
            for leaf in leaves(top):
                if leaf.disk:
                    yield leaf.disk, f"vdev:{top.guid}", _of_pool(pool) or _of_vdev(pool, top)
    for array in inventory.arrays:
        for member in array.members:
            if member.disk:
                yield member.disk, f"array:{array.uuid}", _of_array(array)


def _of_pool(pool: Pool) -> str:
    if pool.suspended:
        return f"{pool.name} is suspended."
    scan = pool.scan
    if scan is not None and scan.state == "SCANNING" and scan.paused is None:
        return f"{pool.name} {_SCANS.get(scan.function, 'is being read')}."
    return ""


def _of_vdev(pool: Pool, top: Vdev) -> str:
    if top.state in _WELL and all(leaf.state in _WELL for leaf in leaves(top)):
        return ""
    return f"{top.name} of {pool.name} is not healthy, and every one of its disks is needed."


def _of_array(array: MdArray) -> str:
    if array.degraded:
        return f"{array.name} is degraded, and every one of its disks is needed."
    if array.work is not None and not array.work.paused:
        return f"{array.name} is being checked or rebuilt."
    return ""
