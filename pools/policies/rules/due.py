"""What is to be taken now.

A tier is due when no snapshot for it, or for a higher one, was taken since its last moment. So a machine that
was off takes one for each tier when it is on again, not one for each that was missed; a run that failed is
made up for; and a dataset that has just got a policy gets its first snapshot at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from pools.policies.rules import slots
from pools.policies.rules.effective import Effective
from pools.policies.rules.names import tag_of
from pools.policies.rules.policy import TIERS, Policy, Tier

Newest = Mapping[Tier, datetime]  # of one dataset: the moment of the newest one taken for each tier
_WRONG_CLOCK = timedelta(hours=1)


def latest_possible(now: datetime) -> datetime:
    """What is dated later was taken while the clock was wrong."""
    return now + _WRONG_CLOCK


def due_tier(policy: Policy, newest: Newest, now: datetime) -> Tier | None:
    """The highest tier of which one is to be taken at `now`; None where nothing is."""
    for tier in reversed(policy.tiers):
        taken = (
            moment
            for one, moment in newest.items()
            if TIERS.index(one) >= TIERS.index(tier) and moment <= latest_possible(now)
        )
        last = max(taken, default=None)
        if last is None or last < slots.latest(policy, tier, now):
            return tier
    return None


def to_take(
    policies: Iterable[Effective], newest: Mapping[str, Newest], now: datetime
) -> dict[str, tuple[str, ...]]:
    """By the name behind the @: the datasets of which such a snapshot is to be taken at `now`."""
    found: dict[str, list[str]] = {}
    for one in policies:
        if one.policy is None or not one.acts:
            continue
        tier = due_tier(one.policy, newest.get(one.dataset, {}), now)
        if tier is not None:
            found.setdefault(tag_of(tier, now), []).append(one.dataset)
    return {tag: tuple(datasets) for tag, datasets in found.items()}
