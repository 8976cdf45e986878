"""Asks pools what they do while somebody watches, and remembers the last minutes of it.

The web process may run no command, so whoever opens the page or the address of the API leaves a mark; the
worker's next tick finds it and samples. Ten seconds after the last request it starts nothing any more. The
counters are the kernel's, in memory: no disk is woken. What lies in the future was written while the clock
was ahead, and counts as long past.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Lock

import msgspec
import structlog
from django.db import IntegrityError
from django.utils import timezone

from alerts.models import Watched
from host import typed
from host.base import Host, HostError
from host.inventory import Activity, Inventory, Pool
from host.probe.pools.iostat import read_iostat
from jobs import engine

_log = structlog.get_logger("live")
INTEREST = timedelta(seconds=10)
_SPAN = timedelta(minutes=5)  # what was seen before says nothing about now
_MARK_EVERY = timedelta(seconds=3)
_OLD = timedelta(seconds=5)  # how old the machine's picture may be while something is under way
_at_work = Lock()


class History(msgspec.Struct, frozen=True, kw_only=True):
    """The last minutes in columns, oldest first: of the pool as a whole, and of each vdev and leaf, by its
    guid, the bytes a second that it read and wrote together.

    Times are seconds since 1970. What nobody had to wait for is None.
    """

    times: tuple[float, ...] = ()
    read_bytes_per_s: tuple[int, ...] = ()
    write_bytes_per_s: tuple[int, ...] = ()
    read_ns: tuple[int | None, ...] = ()
    write_ns: tuple[int | None, ...] = ()
    members: dict[str, tuple[int | None, ...]] = {}


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """What a pool, and each of its vdevs and leaves, did for a second; the first activity is the whole."""

    at: str  # ISO 8601, UTC
    activity: tuple[Activity, ...]
    history: History = History()


def sample_of(pool: Pool) -> Sample | None:
    """Leave the mark that somebody watches `pool`, and answer the last sample; None before the first."""
    now = timezone.now()
    row = Watched.objects.filter(pool_guid=pool.guid).first()
    if row is None:
        try:
            Watched.objects.create(pool_guid=pool.guid, asked_at=now)
        except IntegrityError:
            return None  # somebody else asked first
        return None
    if abs(now - row.asked_at) > _MARK_EVERY:
        Watched.objects.filter(pk=row.pk).update(asked_at=now)
    return _last(row, now)


def sample(host: Host, inventory: Inventory) -> None:
    """One sample of each pool that somebody watches. A suspended one is not asked."""
    now = timezone.now()
    watched = Watched.objects.filter(asked_at__gt=now - INTEREST, asked_at__lt=now + INTEREST)
    rows = {row.pool_guid: row for row in watched}
    pools = [pool for pool in inventory.pools if pool.guid in rows and not pool.suspended]
    if not pools or not _at_work.acquire(blocking=False):
        return
    try:
        _sample(host, pools, rows)
        old = now - datetime.fromisoformat(inventory.as_of) > _OLD
        if old and any(_busy(pool) for pool in pools):
            engine.refresh(host)
    finally:
        _at_work.release()


def _sample(host: Host, pools: list[Pool], rows: dict[str, Watched]) -> None:
    def ask(pool: Pool) -> tuple[Activity, ...]:
        try:
            return read_iostat(host, pool.name)
        except HostError as error:
            _log.warning("no activity", pool=pool.name, error=str(error))
            return ()

    with ThreadPoolExecutor(len(pools)) as together:
        found = list(together.map(ask, pools))
    at = datetime.now(UTC)
    for pool, activity in zip(pools, found, strict=True):
        if activity:
            before = _last(rows[pool.guid], at)
            history = longer(before.history if before else History(), at, activity)
            new = Sample(at=at.isoformat(timespec="milliseconds"), activity=activity, history=history)
            Watched.objects.filter(pool_guid=pool.guid).update(sample=msgspec.to_builtins(new))


def longer(history: History, at: datetime, activity: tuple[Activity, ...]) -> History:
    """`history` with one more sample, without those that are too old."""
    now = at.timestamp()
    skip = sum(time < now - _SPAN.total_seconds() for time in history.times)
    whole = activity[0]
    new = {one.guid: one.read_bytes_per_s + one.write_bytes_per_s for one in activity if one.guid}
    members = {
        guid: (*history.members.get(guid, (None,) * len(history.times))[skip:], total)
        for guid, total in new.items()
    }
    return History(
        times=(*history.times[skip:], round(now, 1)),
        read_bytes_per_s=(*history.read_bytes_per_s[skip:], whole.read_bytes_per_s),
        write_bytes_per_s=(*history.write_bytes_per_s[skip:], whole.write_bytes_per_s),
        read_ns=(*history.read_ns[skip:], whole.read_ns),
        write_ns=(*history.write_ns[skip:], whole.write_ns),
        members=members,
    )


def _last(row: Watched, now: datetime) -> Sample | None:
    if row.sample is None:
        return None
    known = typed.convert(row.sample, Sample)
    return known if abs(now - datetime.fromisoformat(known.at)) < _SPAN else None


def _busy(pool: Pool) -> bool:
    moves = (pool.scan, pool.removal, pool.expansion)
    return any(move is not None and move.state == "SCANNING" for move in moves)
