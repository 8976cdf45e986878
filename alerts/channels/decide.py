"""What a channel is sent and when. Pure: incidents, what was sent of them, the channel's rules and the time.

- Nothing is sent in the first seconds, so that four disks of one cable, or one that comes and goes, make one
  message. Once a message is due, everything that is known by then goes into it.
- An incident is sent when it begins, when it becomes more serious, takes more away or is about twice as many
  disks or files, once in each interval of the channel while it is serious and nobody has acknowledged it, and
  when it has been over for a while.
  What changes of it meanwhile, such as a count of errors, is shown on the page alone: one mail for each
  error is a thousand mails (field notes, ZED).
- Errors that were counted since are sent once, an hour after the last message at the earliest.
- One that was over and is back is sent again at most once an hour.
- Quiet hours hold back all but the beginning of what is serious. What they held back is sent in one message
  once they are over, and what ended meanwhile is said to have ended.
- A clock that was set back leaves times in the future. Whoever keeps them counts from now on (`rebased`): a
  reminder comes an interval later, and nothing waits for the day on which the clock is where it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Literal, cast

import msgspec

from alerts.channels.quiet import Quiet
from alerts.incidents.cause import RANKS, Impact, Kind, Severity, gravity, grown

SETTLE = timedelta(seconds=20)
ENDED_FOR = timedelta(minutes=5)
BACK_EVERY, REMIND_EVERY = timedelta(hours=1), timedelta(days=1)
GROWN_EVERY = timedelta(minutes=10)
HELD_FOR = timedelta(days=1)  # no quiet hours are longer
_WRONG_CLOCK = timedelta(minutes=1)
GAP, WINDOW, MOST_IN_WINDOW = timedelta(minutes=1), timedelta(minutes=10), 5

Topic = Literal["disks", "storage", "schedules"]
TOPICS: dict[Topic, str] = {
    "disks": "Disks, cables, controllers and memory",
    "storage": "Pools, arrays and damaged files",
    "schedules": "Schedules: scrubs, trims, snapshots, copies and backups",
}
_TOPIC_OF: dict[Kind, Topic] = {
    **dict.fromkeys(
        (
            "controller-gone", "link-vanished", "disk-gone", "disk-offline", "disk-faulted", "disk-errors",
            "disk-failing", "disk-slow", "disk-delays", "disk-hung", "disk-too-warm", "checksums-everywhere",
            "transfer-errors", "memory-errors",
        ),
        "disks",
    ),
    "pool-suspended": "storage", "pool-faulted": "storage", "pool-degraded": "storage",
    "data-damaged": "storage", "array-degraded": "storage", "array-stopped": "storage",
    "state-elsewhere": "storage", "system-twice": "storage", "pool-full": "storage",
    "authentication-failed": "storage", "data-unread": "storage", "log-lost": "storage",
    "cache-unwritten": "storage", "direct-io": "storage",
    "replica-different": "storage", "repository-damaged": "storage", "database-full": "storage",
    "channel-locked": "storage", "machine-unprobed": "storage", "backup-old": "schedules",
    "schedule-failed": "schedules", "snapshots-failing": "schedules", "replication-late": "schedules",
    "replication-failed": "schedules", "may-unplug": "schedules", "rotation-blocked": "schedules",
}  # fmt: skip


Act = Literal["opened", "back", "worse", "eased", "more", "reminder", "over", "passed"]


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """An incident as it is now. `absorbed`: it ended by becoming part of another."""

    id: int
    kind: str
    severity: Severity
    impact: Impact = 0
    extent: int = 1  # how many disks or files it is about
    opened_at: datetime
    calm: bool = False
    closed_at: datetime | None = None
    absorbed: bool = False
    acknowledged: bool = False
    faults: int = 0  # errors that were counted since it began


class LastMessage(msgspec.Struct, frozen=True, kw_only=True):
    """The channel's last message about an incident: how serious it was, when, whether that it is over, how
    many disks or files it was about (0: not known), how many errors it knew of, and whether there was a
    message that there were more. What has been less serious since for an hour is remembered as that."""

    severity: Severity
    impact: Impact = 0
    extent: int = 0
    at: datetime
    over: bool = False
    faults: int = 0
    more_sent: bool = False


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """What a channel wants to know. `recent` are the times of its last messages."""

    lowest: Severity | None = "warning"  # None: nothing
    topics: frozenset[str] = frozenset(TOPICS)
    quiet: Quiet | None = None
    tells_end: bool = True
    remind_every: timedelta | None = REMIND_EVERY  # None: never
    since: datetime | None = None  # what ended before is none of this channel's business
    recent: tuple[datetime, ...] = ()


class News(msgspec.Struct, frozen=True, kw_only=True):
    """Something to report. A silent one is only remembered; `passed` began and ended in quiet hours."""

    incident: int
    act: Act
    silent: bool = False
    held: bool = False  # quiet hours held it back


def news(
    seen: Iterable[Seen], report: Mapping[int, LastMessage], rules: Rules, now: datetime
) -> tuple[News, ...]:
    """What the channel is to be sent now, in one message. Empty: nothing, or not yet."""
    seen = tuple(seen)
    if limited(rules.recent, now):
        return ()
    due = _all(seen, report, rules, now, settle=SETTLE)
    if all(one.silent for one in due):
        return due
    return _all(seen, report, rules, now, settle=timedelta(0))


def limited(recent: Iterable[datetime], now: datetime) -> bool:
    """Whether the channel has had enough for the moment. What is due meanwhile waits and is sent together."""
    within = [moment for moment in recent if now - WINDOW < moment <= now]
    return len(within) >= MOST_IN_WINDOW or any(now - moment < GAP for moment in within)


def rebased(moment: datetime, now: datetime) -> datetime:
    """`moment`, or now where it lies in the future: the clock has been set back since."""
    return now if moment - now > _WRONG_CLOCK else moment


def topic_of(kind: str) -> Topic:
    """What an incident is about."""
    return _TOPIC_OF.get(cast("Kind", kind), "disks")


def _all(
    seen: Iterable[Seen], report: Mapping[int, LastMessage], rules: Rules, now: datetime, *, settle: timedelta
) -> tuple[News, ...]:
    found = (_of(one, report.get(one.id), rules, now, settle) for one in seen)
    return tuple(one for one in found if one is not None)


def _of(one: Seen, report: LastMessage | None, rules: Rules, now: datetime, settle: timedelta) -> News | None:
    quiet = rules.quiet is not None and rules.quiet.holds(now)
    if one.closed_at is not None and (report is None or report.over):
        return None if quiet else _passed(one, report, rules, now)
    if report is None or report.over:
        return _begun(one, report, rules, now, settle=settle, quiet=quiet)
    if one.closed_at is not None:
        return _ended(one, rules, now, quiet=quiet)
    now_is, was = gravity(one.severity, one.impact), gravity(report.severity, report.impact)
    if now_is > was and now - report.at >= BACK_EVERY:
        return News(incident=one.id, act="eased", silent=True)
    if one.acknowledged or not _wanted(one, rules):
        return None
    if now_is < was or _doubled(one, report, now):
        return None if quiet and one.severity != "critical" else News(incident=one.id, act="worse")
    if quiet:
        return None
    return _reminder(one, report, rules, now) or _more(one, report, now)


def _doubled(one: Seen, report: LastMessage, now: datetime) -> bool:
    return grown(one.extent, report.extent) and not one.calm and now - report.at >= GROWN_EVERY


def _reminder(one: Seen, report: LastMessage, rules: Rules, now: datetime) -> News | None:
    """Of what is serious and nobody has acknowledged, once in each interval."""
    if one.severity != "critical" or one.calm or rules.remind_every is None:
        return None
    return News(incident=one.id, act="reminder") if now - report.at >= rules.remind_every else None


def _more(one: Seen, report: LastMessage, now: datetime) -> News | None:
    """Errors that were counted since the last message: once."""
    more = one.faults > report.faults and not report.more_sent and not one.calm
    return News(incident=one.id, act="more") if more and now - report.at >= BACK_EVERY else None


def _passed(one: Seen, report: LastMessage | None, rules: Rules, now: datetime) -> News | None:
    """What began in quiet hours, or came back in them, was held back, and is over."""
    if rules.quiet is None or one.closed_at is None or one.absorbed or one.acknowledged:
        return None
    since = rules.since if report is None else report.at
    if since is None or one.closed_at <= since or not timedelta(0) <= now - one.closed_at < HELD_FOR:
        return None
    night = _held(one, rules.quiet) if report is None else rules.quiet.holds(one.closed_at)
    held = night and one.severity != "critical" and _wanted(one, rules)
    return News(incident=one.id, act="passed", held=True) if held else None


def _held(one: Seen, quiet: Quiet | None) -> bool:
    """Whether it was quiet when it would have been sent."""
    return quiet is not None and quiet.holds(one.opened_at + SETTLE)


def _begun(
    one: Seen, report: LastMessage | None, rules: Rules, now: datetime, *, settle: timedelta, quiet: bool
) -> News | None:
    if one.closed_at is not None or one.acknowledged or not _wanted(one, rules):
        return None
    if quiet and one.severity != "critical":
        return None
    if report is None:
        held = one.severity != "critical" and _held(one, rules.quiet)
        # Opened in the future: before the clock was set back, and so long enough ago.
        settled = one.opened_at - now > _WRONG_CLOCK or now - one.opened_at >= settle
        return News(incident=one.id, act="opened", held=held) if settled else None
    # While it is calm it may be over before anybody has read of it.
    waits = one.calm or now - report.at < BACK_EVERY
    return None if waits else News(incident=one.id, act="back")


def _ended(one: Seen, rules: Rules, now: datetime, *, quiet: bool) -> News | None:
    """`None` while it may still come back."""
    if one.absorbed or not rules.tells_end:
        return News(incident=one.id, act="over", silent=True)
    if quiet or one.closed_at is None or abs(now - one.closed_at) < ENDED_FOR:
        return None
    held = rules.quiet is not None and rules.quiet.holds(one.closed_at + ENDED_FOR)
    return News(incident=one.id, act="over", held=held)


def _wanted(one: Seen, rules: Rules) -> bool:
    if rules.lowest is None:
        return False
    return RANKS[one.severity] <= RANKS[rules.lowest] and topic_of(one.kind) in rules.topics
