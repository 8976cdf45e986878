"""What a policy deletes, and why each other snapshot is kept.

A snapshot counts in its tier and in all lower ones: the one of midnight is the hourly of midnight too. It may
go when in each of these tiers it is older than the tier reaches back (count × period) *and* there are as many
newer ones as the tier keeps. Both: a clock that jumps ahead makes everything old at once, and one that jumps
back leaves ones dated in the future, which count as newer for years; either alone would delete too much.

Whatever the tiers say, nothing goes that the policy did not take, that is held, that a clone grew from, that
is the newest of the dataset, or that is dated later than now.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

import msgspec

from host.inventory import Snapshot
from pools.policies.rules.names import tier_of
from pools.policies.rules.policy import TIERS, Policy, Tier

Why = Literal["tier", "newest", "held", "cloned", "ahead", "foreign", "off", "expired"]


class RetentionVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a snapshot. `tier` is the highest one that keeps it, or that it was taken for."""

    snapshot: Snapshot
    delete: bool
    why: Why
    tier: Tier | None = None

    @property
    def words(self) -> str:
        """The reason for people."""
        match self.why:
            case "tier":
                return f"kept as {self.tier}"
            case "newest":
                return "kept: the newest"
            case "held":
                return "kept: it is held"
            case "cloned":
                return "kept: it has a clone"
            case "ahead":
                return "kept: it is dated later than now"
            case "foreign":
                return "kept: it was not taken by a policy of this pool"
            case "off":
                return "kept: the policy is off"
        return f"{self.tier}: older than the policy reaches back, and there are enough newer ones"


def judge(
    snapshots: Iterable[Snapshot], policy: Policy, now: datetime, *, pool_guid: str
) -> tuple[RetentionVerdict, ...]:
    """A verdict on each of the snapshots of one dataset, newest first. Their order does not matter."""
    ordered = sorted(snapshots, key=lambda one: (one.created, one.tag), reverse=True)
    tiers = {one.name: tier_of(one, pool_guid) for one in ordered}
    ranks = {tier: [one for one in ordered if _counts(tiers[one.name], tier)] for tier in TIERS}
    dates = {tier: [_key(one) for one in reversed(members)] for tier, members in ranks.items()}
    verdicts: list[RetentionVerdict] = []
    newest_seen = False
    for one in ordered:
        tier = tiers[one.name]
        if tier is None:
            verdicts.append(RetentionVerdict(snapshot=one, delete=False, why="foreign"))
            continue
        newest, newest_seen = not newest_seen, True
        keeper = _keeper(one, tier, policy, now, dates)
        ahead = one.created >= now.timestamp()
        verdicts.append(_verdict(one, tier, keeper, policy, newest=newest, ahead=ahead))
    return tuple(verdicts)


def doomed(
    snapshots: Iterable[Snapshot], policy: Policy, now: datetime, *, pool_guid: str
) -> tuple[Snapshot, ...]:
    """Those that go, oldest first."""
    verdicts = judge(snapshots, policy, now, pool_guid=pool_guid)
    return tuple(verdict.snapshot for verdict in reversed(verdicts) if verdict.delete)


def _verdict(
    one: Snapshot, tier: Tier, keeper: Tier | None, policy: Policy, *, newest: bool, ahead: bool
) -> RetentionVerdict:
    if policy.off:
        return RetentionVerdict(snapshot=one, delete=False, why="off", tier=tier)
    if keeper is not None:
        return RetentionVerdict(snapshot=one, delete=False, why="tier", tier=keeper)
    if newest:
        return RetentionVerdict(snapshot=one, delete=False, why="newest", tier=tier)
    if ahead:
        return RetentionVerdict(snapshot=one, delete=False, why="ahead", tier=tier)
    if one.holds:
        return RetentionVerdict(snapshot=one, delete=False, why="held", tier=tier)
    if one.clones:
        return RetentionVerdict(snapshot=one, delete=False, why="cloned", tier=tier)
    return RetentionVerdict(snapshot=one, delete=True, why="expired", tier=tier)


def _keeper(
    one: Snapshot, own: Tier, policy: Policy, now: datetime, dates: dict[Tier, list[tuple[int, str]]]
) -> Tier | None:
    """The highest tier that keeps it."""
    age_s = now.timestamp() - one.created
    for tier in reversed(TIERS[: TIERS.index(own) + 1]):
        count = policy.count(tier)
        if not count:
            continue
        members = dates[tier]
        newer = len(members) - 1 - bisect_left(members, _key(one))
        if age_s <= count * policy.period(tier).total_seconds() or newer < count:
            return tier
    return None


def _counts(own: Tier | None, tier: Tier) -> bool:
    return own is not None and TIERS.index(own) >= TIERS.index(tier)


def _key(one: Snapshot) -> tuple[int, str]:
    return one.created, one.tag


def moment_of(snapshot: Snapshot) -> datetime:
    """When it was taken, by the clock of ZFS."""
    return datetime.fromtimestamp(snapshot.created, UTC)
