"""When each md array was last read whole and compared, and what that found: no kernel keeps it.

While a check runs the kernel says so. Once it has ended, `last_sync_action` still names it, and `sync_min`
is 0 where it came to its end, or the place at which it was stopped (Linux, drivers/md/md.c, md_do_sync).
Debian's monthly check stops after six hours and goes on the next day (mdcheck): each part counts mismatches
of its own, and the last one ends the check.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
from django.utils import timezone

from alerts.evidence import ArrayCheck
from alerts.models import ArrayCare
from host import typed
from host.inventory import Inventory, MdArray

OVERDUE = timedelta(days=35)  # Debian checks on the first Sunday of a month
READS_ALL = {"check", "repair"}
_SAME = timedelta(minutes=5)  # mdadm's monitor reports an end a little after the kernel


class CheckHistory(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered of an array's checks. `part` counts what earlier parts of a stopped one found.

    Times are ISO 8601, UTC.
    """

    checking: bool = False
    last_action: str | None = None
    part: int = 0
    checked_at: str | None = None
    found: int | None = None  # sectors that differed then
    stopped_at: str | None = None  # when one was last seen to be stopped


class Glance(msgspec.Struct, frozen=True, kw_only=True):
    """How long a check had still to go when it was last seen: one that ended far too early was stopped."""

    at: datetime
    remaining_s: float | None


def after_probe(
    before: CheckHistory, array: MdArray, at: datetime, *, booted: datetime, glance: Glance | None
) -> CheckHistory:
    """What is known after this probe. Pure."""
    action = array.last_action
    if array.work is not None and array.work.kind in READS_ALL:
        return msgspec.structs.replace(before, checking=True, last_action=action)
    ended = before.checking or (action in READS_ALL and before.last_action != action)
    after = msgspec.structs.replace(before, checking=False, last_action=action)
    if not ended or array.mismatches is None:
        return after
    if array.stopped_at or _too_early(glance, at):
        return msgspec.structs.replace(after, part=before.part + array.mismatches, stopped_at=_iso(at))
    # Of a check that nobody saw running, just that it was since the start of the machine.
    when = at if before.checking or before.last_action is not None else booted
    found = before.part + array.mismatches
    return msgspec.structs.replace(after, part=0, checked_at=_iso(when), found=found)


def after_event(before: CheckHistory, array: MdArray, at: datetime) -> CheckHistory:
    """What is known after mdadm reported an end: a check may be over between two probes. Pure."""
    reads_all = array.last_action in READS_ALL and array.work is None
    # The kernel may have reported it already: that it came to its end, or that it was stopped.
    known = any(
        one is not None and at - datetime.fromisoformat(one) < _SAME
        for one in (before.checked_at, before.stopped_at)
    )
    if not reads_all or array.mismatches is None or array.stopped_at or known:
        return before
    found = before.part + array.mismatches
    return msgspec.structs.replace(before, part=0, checked_at=_iso(at), found=found)


class _Seen:
    """What the last probe found of checks under way, in this one worker."""

    glances: dict[str, Glance] = {}


def keep(inventory: Inventory) -> None:
    """Remember what this probe found. Writes nothing while nothing changes."""
    at = datetime.fromisoformat(inventory.as_of)
    booted = datetime.fromtimestamp(inventory.facts.booted, UTC)
    rows = {row.uuid: row for row in ArrayCare.objects.all()}
    for array in inventory.arrays:
        if not array.uuid or array.state == "inactive" or array.mismatches is None:
            continue
        row = rows.get(array.uuid) or ArrayCare(uuid=array.uuid, first_at=at)
        before = typed.convert(row.history, CheckHistory)
        after = after_probe(before, array, at, booted=booted, glance=_Seen.glances.pop(array.uuid, None))
        if after.checking and array.work is not None:
            _Seen.glances[array.uuid] = Glance(at=at, remaining_s=array.work.remaining_s)
        if after != before or row.pk is None:
            row.history = msgspec.to_builtins(after)
            row.save()


def note_event(array: MdArray, at: datetime) -> None:
    """mdadm reported that something of the array has ended."""
    row = ArrayCare.objects.filter(uuid=array.uuid).first()
    if row is not None:
        before = typed.convert(row.history, CheckHistory)
        if (after := after_event(before, array, at)) != before:
            row.history = msgspec.to_builtins(after)
            row.save()


def stored() -> dict[str, ArrayCheck]:
    """By the array's UUID."""
    now = timezone.now()
    return {row.uuid: _check(row, now) for row in ArrayCare.objects.all()}


def of_array(uuid: str) -> ArrayCheck | None:
    """What is known of one array; None before its first probe."""
    row = ArrayCare.objects.filter(uuid=uuid).first()
    return _check(row, timezone.now()) if row else None


def _check(row: ArrayCare, now: datetime) -> ArrayCheck:
    known = typed.convert(row.history, CheckHistory)
    since = datetime.fromisoformat(known.checked_at) if known.checked_at else row.first_at
    return ArrayCheck(
        checked_at=known.checked_at,
        found=known.found,
        since=_iso(since),
        age_s=(now - since).total_seconds(),
        overdue=now - since > OVERDUE,
    )


def _too_early(glance: Glance | None, at: datetime) -> bool:
    return (
        glance is not None
        and glance.remaining_s is not None
        and (at - glance.at).total_seconds() < glance.remaining_s / 4
    )


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")
