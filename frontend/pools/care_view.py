"""The care of a pool as values for the eye: scrubs, schedules, trims, checkpoint, features."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from frontend.states import StateView, tone_view
from frontend.units import span
from host.inventory import Filling, Inventory, Pool, Schedule, leaves
from host.inventory.redundancy import resilvering
from jobs.schedules import cron
from jobs.schedules.overdue import overdue
from jobs.schedules.sentence import on_the_wall
from jobs.wording import counted
from pools.care.defaults import can_trim
from pools.care.history import scans_of
from pools.models import ScanRecord
from pools.travel.links import to_mend


class ScrubNow(msgspec.Struct, frozen=True, kw_only=True):
    """A scrub that runs or is paused; how long it will take is told with all that is under way."""

    percent: float
    paused: bool


class ScheduleView(msgspec.Struct, frozen=True, kw_only=True):
    """A schedule in words."""

    id: int
    next_run: str  # by the clocks of its time zone; empty while it is paused
    enabled: bool
    said: str
    by_default: bool


class ScanView(msgspec.Struct, frozen=True, kw_only=True):
    """A scrub or resilver that has ended."""

    kind: str
    state: StateView
    finished: datetime
    took: str
    total_bytes: int
    repaired_bytes: int
    errors: int
    files: tuple[str, ...]


class CareView(msgspec.Struct, frozen=True, kw_only=True):
    """What the care section shows; a `why_…` is the reason why its button is shut."""

    scrub: ScrubNow | None
    why_no_scrub: str
    last: ScanView | None
    last_scrub: str | None
    days_overdue: int | None
    scrubs: ScheduleView | None
    trims: ScheduleView | None
    can_trim: bool
    autotrim: bool
    trimming: str  # "2 of 4 disks, 31 %"
    trim_suspended: bool
    initializing: str  # as `trimming`
    initialize_suspended: bool
    checkpoint: str | None  # when it was taken, ISO 8601
    checkpoint_bytes: int
    has_checkpoint: bool
    to_upgrade: int
    to_mend: int


def care_view(pool: Pool, inventory: Inventory) -> CareView:
    """All of it, from the inventory and from what is remembered."""
    now = datetime.now(UTC)
    last = next((record for record in scans_of(pool.guid) if record.function == "SCRUB"), None)
    members = [leaf for top in pool.vdevs for leaf in leaves(top)]
    trims = [leaf.trim for leaf in members if leaf.trim is not None]
    initializations = [leaf.initialize for leaf in members if leaf.initialize is not None]
    return CareView(
        scrub=_scrub_now(pool),
        why_no_scrub=_why_no_scrub(pool),
        last=scan_view(last) if last else None,
        last_scrub=pool.last_scrub,
        days_overdue=overdue(pool, inventory, now),
        scrubs=schedule_view(schedule_of(pool, inventory, "scrub"), now),
        trims=schedule_view(schedule_of(pool, inventory, "trim"), now),
        can_trim=can_trim(pool),
        autotrim=pool.properties.get("autotrim") == "on",
        trimming=_running(trims),
        trim_suspended=any(filling.state == "SUSPENDED" for filling in trims),
        initializing=_running(initializations),
        initialize_suspended=any(filling.state == "SUSPENDED" for filling in initializations),
        checkpoint=pool.checkpoint.taken if pool.checkpoint else None,
        checkpoint_bytes=pool.checkpoint.size_bytes if pool.checkpoint else 0,
        has_checkpoint=pool.checkpoint is not None,
        to_upgrade=len(pool.to_upgrade),
        to_mend=len(to_mend(pool, inventory)),
    )


def schedule_of(pool: Pool, inventory: Inventory, kind: str) -> Schedule | None:
    """The pool's schedule for `kind`: scrub or trim."""
    wanted = (f"pool:{pool.guid}", f"pool.{kind}")
    return next((one for one in inventory.schedules if (one.subject, one.operation) == wanted), None)


def schedule_view(schedule: Schedule | None, now: datetime) -> ScheduleView | None:
    """The schedule in words, with its next time."""
    if schedule is None:
        return None
    coming = cron.first(1, schedule.cron, schedule.time_zone, now) if schedule.enabled else ()
    return ScheduleView(
        id=schedule.id,
        next_run="".join(on_the_wall(time, schedule.time_zone) for time in coming),
        enabled=schedule.enabled,
        said=schedule.said,
        by_default=not schedule.owner,
    )


def scan_view(record: ScanRecord, *, names: bool = False) -> ScanView:
    """A remembered scan; `names` tells which files it found damaged."""
    bad = bool(record.errors or record.damaged_files)
    whole = record.state == "FINISHED"
    if not whole:
        state = tone_view("idle", "stopped")
    elif bad:
        state = tone_view("bad", counted(record.errors, "error"))
    elif record.repaired_bytes and record.function == "SCRUB":
        state = tone_view("warn", "repaired")
    else:
        state = tone_view("good", "no errors")
    return ScanView(
        kind="Scrub" if record.function == "SCRUB" else "Resilver",
        state=state,
        finished=record.finished,
        took=span(record.duration_s),
        total_bytes=record.total_bytes,
        repaired_bytes=record.repaired_bytes,
        errors=record.errors,
        files=tuple(record.damaged_files) if names else (),
    )


def _scrub_now(pool: Pool) -> ScrubNow | None:
    scan = pool.scan
    if scan is None or scan.state != "SCANNING" or scan.function != "SCRUB":
        return None
    return ScrubNow(percent=scan.percent or 0.0, paused=scan.paused is not None)


def _why_no_scrub(pool: Pool) -> str:
    if pool.suspended:
        return "The pool is suspended."
    if pool.readonly:
        return "The pool is imported read-only."
    if resilvering(pool):
        return "A resilver is running and has to finish first."
    return ""


def _running(fillings: list[Filling]) -> str:
    active = [filling for filling in fillings if filling.state == "ACTIVE"]
    if not active:
        return ""
    done, total = sum(one.done_bytes for one in active), sum(one.total_bytes for one in active)
    return (
        f"{counted(len(active), 'disk')}, {100 * done / total:.0f} %"
        if total
        else counted(len(active), "disk")
    )
