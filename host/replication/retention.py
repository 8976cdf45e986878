"""Which snapshots of a replica its own retention no longer wants."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from host.commands.replication.task import ReplicaRetention
from host.replication.sides import Point

_BUCKETS: tuple[tuple[str, Callable[[datetime], tuple[int, ...]]], ...] = (
    ("hourly", lambda at: (at.toordinal(), at.hour)),
    ("daily", lambda at: (at.toordinal(),)),
    ("weekly", lambda at: at.isocalendar()[:2]),
    ("monthly", lambda at: (at.year, at.month)),
    ("yearly", lambda at: (at.year,)),
)


def expired(
    times: Iterable[tuple[Point, int]], wanted: ReplicaRetention, newest: str, now: float
) -> tuple[Point, ...]:
    """Those that go, oldest first. `times` are seconds since 1970, `newest` the guid that both sides have.

    Of each hour, day, week, month and year (UTC) the last snapshot counts, of the last so many of them that
    have one: what is kept does not depend on when runs happen, and a target that was away for a year does
    not lose what it had. Nothing goes that is dated later than now, or from `newest` on.
    """
    ordered = sorted(times, key=lambda one: (one[1], one[0].createtxg), reverse=True)
    past = [one for one in ordered if one[1] <= now]  # what is dated later takes nobody's place
    kept: set[str] = set()
    for name, bucket in _BUCKETS:
        kept |= _kept(past, bucket, getattr(wanted, name))
    floor = next((point.createtxg for point, _ in ordered if point.guid == newest), 0)
    gone = [point for point, _ in past if point.guid not in kept and point.createtxg < floor]
    return tuple(reversed(gone))


def _kept(
    ordered: list[tuple[Point, int]], bucket: Callable[[datetime], tuple[int, ...]], most: int
) -> set[str]:
    kept: set[str] = set()
    seen: set[tuple[int, ...]] = set()
    for point, made in ordered:
        place = bucket(datetime.fromtimestamp(made, UTC))
        if place in seen:
            continue
        if len(seen) == most:
            break
        seen.add(place)
        kept.add(point.guid)
    return kept
