"""What is remembered joins what the machine says: readings, bays, and the disks that left."""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Lock

import msgspec

from disks import history
from disks.bays import placement
from disks.bays.guess import Left, guess
from disks.bays.stored import stored
from disks.identity import recognise
from disks.layout import Case
from disks.models import DiskRecord
from disks.records import absent, all_absent, all_records, iso
from disks.smart.overlay import overlay
from host.inventory import Bay, Inventory

_KEPT = timedelta(days=30)  # the place of a disk that left a case nobody described
_lock = Lock()  # two inventories at once would tell each other's disks gone


def complete(inventory: Inventory) -> Inventory:
    """`inventory` with all that is remembered of its disks and bays; what is new in it is remembered."""
    with _lock:
        case = stored()
        records = all_records()
        inventory = overlay(inventory, recognise(inventory.disks, records))
        if case.layout is None:
            bays = guess(inventory, _left(records, inventory))
        else:
            bays = placement.assign(inventory, case)
        known = history.update(inventory, bays, records)
    bays = tuple(_with_history(bay, case, known, records) for bay in bays)
    inventory = placement.place(inventory, bays, chassis=case.layout.name if case.layout else None)
    return msgspec.structs.replace(inventory, gone=all_absent(records))


def _left(records: list[DiskRecord], inventory: Inventory) -> tuple[Left, ...]:
    """One disk that left for each port: the last."""
    now = datetime.fromisoformat(inventory.as_of)
    here = {record.key for record in recognise(inventory.disks, records).values()}
    found: dict[str, tuple[datetime, Left]] = {}
    for record in records:
        if record.port is None or record.key in here or record.facts.get("transport") == "usb":
            continue
        since = record.gone_since or now
        if now - since < _KEPT and (record.port not in found or found[record.port][0] < since):
            left = msgspec.structs.replace(absent(record), since=iso(since), bay=None)
            found[record.port] = (since, Left(left, record.port))
    return tuple(left for _, left in found.values())


def _with_history(bay: Bay, case: Case, known: dict[str, DiskRecord], records: list[DiskRecord]) -> Bay:
    """`bay` with what is remembered of it: the disk that is missing there, or that one is new."""
    if bay.disk is not None:
        record = known.get(bay.disk)
        fresh = record is not None and record.fresh_in == bay.label
        return msgspec.structs.replace(bay, fresh=fresh)
    if case.layout is None:
        return bay
    since = datetime.fromisoformat(case.changed_at)
    # Labels of another case say nothing about this one's bays.
    left = [
        record
        for record in records
        if record.last_bay == bay.label and record.gone_since is not None and record.gone_since >= since
    ]
    if not left:
        return bay
    return msgspec.structs.replace(
        bay, missing=absent(max(left, key=lambda record: record.gone_since or since))
    )
