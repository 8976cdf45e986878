"""When each tier is due: the moments of its clock, in UTC.

Frequent and hourly ones are cut from the hours of UTC, which no change of clocks disturbs. Daily ones and
above go by the clocks of the policy's time zone; `jobs.schedules.cron` has the rule for changes of clocks.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache
from itertools import takewhile

from jobs.schedules import cron
from pools.policies.rules.policy import Policy, Tier

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def latest(policy: Policy, tier: Tier, now: datetime) -> datetime:
    """The last moment of `tier` that is not later than `now`."""
    if tier in {"frequent", "hourly"}:
        step = policy.period(tier)
        return now - (now - _EPOCH) % step
    # No line is due more often than once a minute, so all seconds of one share the answer.
    return _latest(_line(policy, tier), policy.time_zone, now.replace(second=0, microsecond=0))


def following(policy: Policy, tier: Tier, now: datetime) -> datetime:
    """The first moment of `tier` later than `now`."""
    if tier in {"frequent", "hourly"}:
        return latest(policy, tier, now) + policy.period(tier)
    return cron.next_after(_line(policy, tier), policy.time_zone, now)


def last_ones(
    policy: Policy, tier: Tier, count: int, *, since: datetime, until: datetime
) -> tuple[datetime, ...]:
    """The last `count` moments of `tier` later than `since` and not later than `until`, oldest first."""
    if tier in {"frequent", "hourly"}:
        step, newest = policy.period(tier), latest(policy, tier, until)
        moments = (newest - step * back for back in range(count))
        return tuple(takewhile(lambda moment: moment > since, moments))[::-1]
    start = max(since, until - policy.period(tier) * (count + 1))
    upcoming = cron.upcoming(_line(policy, tier), policy.time_zone, start)
    return tuple(takewhile(lambda moment: moment <= until, upcoming))[-count:]


def next_run(policy: Policy, now: datetime) -> datetime | None:
    """When something is due next; None where nothing ever is."""
    return min((following(policy, tier, now) for tier in policy.tiers), default=None)


@lru_cache(maxsize=4096)
def _latest(line: str, time_zone: str, minute: datetime) -> datetime:
    found = cron.latest(line, time_zone, minute - timedelta(days=800), minute)
    assert found is not None  # noqa: S101 - each of our lines is due once a year at least
    return found


def _line(policy: Policy, tier: Tier) -> str:
    hour, _, minute = policy.at.partition(":")
    day = {"daily": "* * *", "weekly": f"* * {policy.on}", "monthly": "1 * *", "yearly": "1 1 *"}[tier]
    return f"{int(minute)} {int(hour)} {day}"
