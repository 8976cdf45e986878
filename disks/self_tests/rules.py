"""Which self-tests begin now. Pure: the disks, the settings and the clock go in.

One disk of a vdev at a time, since a test makes it slower and the vdev waits for its slowest disk. Short
tests come first: they take minutes, a long one takes many hours. Whatever is due after the machine was off
waits for its turn like everything else, so that nothing begins all at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from math import inf
from zoneinfo import ZoneInfo

import msgspec

from disks.self_tests.settings import KINDS, WEEKDAYS, DiskSchedule, Kind, SelfTestSettings

AGAIN = timedelta(days=2)  # after one that could not be started, or that something ended early
# Without it each test would begin some minutes later than the one before, until it missed its night.
EARLY_DAYS = 0.25
_WRONG_CLOCK = timedelta(days=2)
_DAY = timedelta(days=1)


class Candidate(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a disk. `groups` are the vdevs and arrays that wait for it while it is slower;
    `busy` says in a sentence what no test may begin beside."""

    id: str
    since: datetime  # when it was first seen
    groups: tuple[str, ...] = ()
    offers: bool | None = True  # whether it has self-tests; None: it does not say
    asleep: bool | None = False  # None: not known
    testing: bool = False
    busy: str = ""
    schedule: DiskSchedule = DiskSchedule()
    last: dict[Kind, datetime] = {}  # when the last test of a kind ended
    tried: dict[Kind, datetime] = {}  # when one was last begun by the clock


class Start(msgspec.Struct, frozen=True, kw_only=True):
    """A test to begin now."""

    disk: str
    kind: Kind


def to_start(
    disks: Sequence[Candidate], settings: SelfTestSettings, now: datetime, zone: str
) -> tuple[Start, ...]:
    """The tests to begin, in this order."""
    if not within(settings, now, zone):
        return ()
    room = settings.at_once - sum(disk.testing for disk in disks)
    taken = {group for disk in disks if disk.testing for group in disk.groups}
    started: list[Start] = []
    begun: set[str] = set()
    for _, disk, kind in sorted(_wanted(disks, settings, now), key=lambda one: one[0]):
        if len(started) >= room:
            break
        if disk.id in begun or taken.intersection(disk.groups) or obstacle(disk, kind, settings, now):
            continue
        started.append(Start(disk=disk.id, kind=kind))
        begun.add(disk.id)
        taken.update(disk.groups)
    return tuple(started)


def within(settings: SelfTestSettings, now: datetime, zone: str) -> bool:
    """Whether tests may begin at this hour. What goes on past midnight belongs to the day it began on."""
    wall = now.astimezone(ZoneInfo(zone))
    first, end = settings.from_hour, settings.until_hour
    day = wall
    if first < end:
        inside = first <= wall.hour < end
    elif first > end:
        inside = wall.hour >= first or wall.hour < end
        day = wall - _DAY if wall.hour < end else wall
    else:
        inside = True
    return settings.enabled and inside and WEEKDAYS[day.weekday()] in settings.weekdays


def age_days(disk: Candidate, kind: Kind, now: datetime) -> float | None:
    """Of the last test of that kind; a long one does what a short one does. None where there was none."""
    kinds = KINDS if kind == "short" else (kind,)
    ended = [when for one in kinds if (when := _believed(disk.last.get(one), now)) is not None]
    return max(0.0, (now - max(ended)) / _DAY) if ended else None


def due(disk: Candidate, kind: Kind, settings: SelfTestSettings, now: datetime) -> bool:
    """Whether its interval has passed, or will within hours."""
    days = disk.schedule.days(kind, settings)
    if days is None or not disk.offers:
        return False
    age = age_days(disk, kind, now)
    return age is None or age >= days - EARLY_DAYS


def obstacle(disk: Candidate, kind: Kind, settings: SelfTestSettings, now: datetime) -> str:
    """What keeps a test that is due from beginning, as a sentence; empty where nothing does."""
    if disk.testing:
        return "A self-test is running."
    if disk.busy:
        return disk.busy
    tried, last = (_believed(of.get(kind), now) for of in (disk.tried, disk.last))
    if tried is not None and now - tried < AGAIN and (last is None or last < tried):
        return "It was started lately and did not end; it is started again after two days."
    if disk.asleep is not False and not overdue(disk, kind, settings, now):
        longest = settings.longest_days(kind)
        sleeps = "The disk sleeps" if disk.asleep else "It is not known whether the disk sleeps"
        return f"{sleeps}, and is not woken before its last test is {longest} days old."
    return ""


def overdue(disk: Candidate, kind: Kind, settings: SelfTestSettings, now: datetime) -> bool:
    """Whether the last test is older than it may ever be; of a disk without one, since it is known."""
    if disk.schedule.days(kind, settings) is None or not disk.offers:
        return False
    age = age_days(disk, kind, now)
    return (max(0.0, (now - disk.since) / _DAY) if age is None else age) >= settings.longest_days(kind)


def _wanted(
    disks: Sequence[Candidate], settings: SelfTestSettings, now: datetime
) -> Iterator[tuple[tuple[int, float, str], Candidate, Kind]]:
    """What is due with its rank: short ones before long ones, and of a kind what waited longest."""
    for disk in disks:
        for rank, kind in enumerate(KINDS):
            if due(disk, kind, settings, now):
                age = age_days(disk, kind, now)
                days = disk.schedule.days(kind, settings) or 1
                yield (rank, -inf if age is None else -age / days, disk.id), disk, kind


def _believed(moment: datetime | None, now: datetime) -> datetime | None:
    """What lies far in the future was written while the clock was wrong, and says nothing."""
    return moment if moment is not None and moment - now < _WRONG_CLOCK else None
