"""Keeps the life story of every disk, from one inventory to the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from disks.identity import key_of, recognise
from disks.models import DiskEvent, DiskRecord
from host.inventory import Bay, Disk, Inventory

_EVERY = timedelta(hours=1)  # `last_seen` of a disk that is here
_SWINGS = timedelta(minutes=1)  # what is back for no longer than that has a bad link
_MOST_EVENTS = 1000  # of a disk, beside how it was first seen
_FIELDS = (
    "wwn", "last_seen", "last_id", "port", "last_bay", "bays", "fresh_in", "gone_since", "pool",
)  # fmt: skip


class _Changes:
    """What one inventory tells that was not known before."""

    def __init__(self, at: datetime, *, first: bool) -> None:
        self.at = at
        self.first = first  # the first inventory of all: nothing in it is news
        self.fresh: list[DiskRecord] = []
        self.changed: list[DiskRecord] = []
        self.events: list[DiskEvent] = []
        self.visits: list[tuple[DiskEvent, DiskEvent]] = []  # that it was back, and that it was gone before

    def add(self, record: DiskRecord, kind: str, words: str) -> None:
        self.events.append(DiskEvent(record=record, at=self.at, kind=kind, words=words))


def update(inventory: Inventory, bays: tuple[Bay, ...], records: list[DiskRecord]) -> dict[str, DiskRecord]:
    """Bring `records` up to `inventory`; answers the record of each disk by the disk's id.

    `records` is what was read before, and is changed and extended in place. Writes nothing where nothing
    happened. An inventory that is older than what is known of a disk changes nothing.
    """
    at = datetime.fromisoformat(inventory.as_of)
    matched = recognise(inventory.disks, records)
    newest = max((max(one.last_seen, one.gone_since or one.last_seen) for one in records), default=at)
    if at < newest <= timezone.now():  # what lies in the future was written while the clock was wrong
        return matched
    changes = _Changes(at, first=not records)
    places = {bay.disk: bay for bay in bays if bay.disk}
    for disk in inventory.disks:
        record = matched.get(disk.id)
        if record is None and disk.links:  # without links udev has not told yet what it is
            record = matched[disk.id] = _meet(disk, records, changes)
        if record is not None:
            _follow(record, disk, places.get(disk.id), changes)
    here = {record.key for record in matched.values()}
    for record in records:
        if record.gone_since is None and record.key not in here:
            _miss(record, changes)
    _relabel(records, bays, inventory.disks, changes)
    _save(changes)
    return matched


def record_event(record: DiskRecord, kind: str, words: str) -> None:
    """Add to the story of a disk what happened now."""
    DiskEvent.objects.create(record=record, at=timezone.now(), kind=kind, words=words[:500])
    _forget_old(record)


def _meet(disk: Disk, records: list[DiskRecord], changes: _Changes) -> DiskRecord:
    record = DiskRecord(
        key=key_of(disk, (known.key for known in records)),
        serial=disk.serial,
        wwn=disk.wwn,
        model=disk.model,
        size_bytes=disk.size_bytes,
        facts={
            "vendor": disk.vendor,
            "medium": disk.medium,
            "transport": disk.transport,
            "logical_sector_bytes": disk.logical_sector_bytes,
            "physical_sector_bytes": disk.physical_sector_bytes,
        },
        first_seen=changes.at,
        last_seen=changes.at,
        last_id=disk.id,
        port=disk.port,
    )
    records.append(record)
    changes.fresh.append(record)
    return record


def _follow(record: DiskRecord, disk: Disk, bay: Bay | None, changes: _Changes) -> None:
    """What is new about a disk that is here."""
    before = _state(record)
    new = record in changes.fresh
    came = new or record.gone_since is not None
    moved = not came and None not in (record.port, disk.port) and record.port != disk.port
    label = bay.label if bay else ""
    sure = bay is not None and bay.known_by != "order"
    if new:
        changes.add(record, "first-seen", f"First seen{_in(label)}")
    elif came:
        changes.add(record, "came-back", f"Came back{_in(label)}{_where_from(record, label)}")
    elif moved and label != record.last_bay:
        changes.add(record, "moved", f"Moved{_where_from(record, label)}{_to(label)}")
    if label != record.fresh_in or disk.in_use:
        record.fresh_in = ""
    if sure and label not in record.bays:
        if (came or moved) and not changes.first and not disk.in_use:
            record.fresh_in = label
        record.bays = [*record.bays, label]
    _join(record, disk, changes)
    record.gone_since = None
    record.last_bay = label
    if disk.links:
        record.last_id, record.port = disk.id, disk.port
    record.wwn = disk.wwn or record.wwn
    if changes.at - record.last_seen > _EVERY or _state(record) != before:
        record.last_seen = changes.at
        if not new:
            changes.changed.append(record)


def _join(record: DiskRecord, disk: Disk, changes: _Changes) -> None:
    pool = next((claim.pool or "" for claim in disk.claims if claim.kind == "pool"), "")
    if pool == record.pool:
        return
    if record.pool:
        changes.add(record, "pool-left", f"Left pool {record.pool}")
    if pool:
        changes.add(record, "pool-joined", f"Joined pool {pool}")
    record.pool = pool


def _miss(record: DiskRecord, changes: _Changes) -> None:
    words = f"Gone from bay {record.last_bay}" if record.last_bay else "Gone"
    # A link that swings would fill the story within hours: it is one entry that counts.
    match list(record.events.filter(kind__in=("gone", "came-back"))[:2]):
        case [DiskEvent(kind="came-back") as back, DiskEvent(kind="gone") as gone] if (
            timedelta(0) <= changes.at - back.at <= _SWINGS and gone.words == words
        ):
            changes.visits.append((back, gone))
        case _:
            changes.add(record, "gone", words)
    record.gone_since = changes.at
    record.fresh_in = ""
    changes.changed.append(record)


def _relabel(
    records: list[DiskRecord], bays: tuple[Bay, ...], disks: Iterable[Disk], changes: _Changes
) -> None:
    """Where bays are guessed, a disk that comes moves the labels: one that left follows its place."""
    by_id = {bay.missing.id: bay.label for bay in bays if bay.missing}
    guessed = {bay.disk: bay.label for bay in bays if bay.known_by == "order"}
    by_port = {disk.port: guessed[disk.id] for disk in disks if disk.port and disk.id in guessed}
    others = {*by_id.values(), *guessed.values()}
    for record in records:
        if record.gone_since is None:
            continue
        kept = "" if record.last_bay in others else record.last_bay
        label = by_id.get(record.last_id) or by_port.get(record.port or "") or kept
        if label != record.last_bay:
            record.last_bay = label
            if record not in changes.changed:
                changes.changed.append(record)


def _save(changes: _Changes) -> None:
    if not (changes.fresh or changes.changed or changes.events):
        return
    with transaction.atomic():
        DiskRecord.objects.bulk_create(changes.fresh)
        DiskRecord.objects.bulk_update(changes.changed, _FIELDS)
        DiskEvent.objects.bulk_create(changes.events)
        for back, gone in changes.visits:
            back.delete()
            DiskEvent.objects.filter(pk=gone.pk).update(times=F("times") + 1)
        for record in {event.record for event in changes.events}:
            _forget_old(record)


def _forget_old(record: DiskRecord) -> None:
    old = record.events.exclude(kind="first-seen").values("pk")[_MOST_EVENTS:]
    DiskEvent.objects.filter(pk__in=old).delete()


def _state(record: DiskRecord) -> Mapping[str, object]:
    return {name: getattr(record, name) for name in _FIELDS if name != "last_seen"}


def _in(label: str) -> str:
    return f" in bay {label}" if label else ""


def _to(label: str) -> str:
    return f" to bay {label}" if label else " to an unknown place"


def _where_from(record: DiskRecord, label: str) -> str:
    return f" from bay {record.last_bay}" if record.last_bay and record.last_bay != label else ""
