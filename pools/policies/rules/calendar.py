"""What a policy keeps at a time to come: the same rule over the snapshots of now and those it will take."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from host.inventory import Snapshot
from pools.policies.rules import slots
from pools.policies.rules.names import tag_of
from pools.policies.rules.policy import TIERS, Policy, Tier
from pools.policies.rules.retention import judge, moment_of

_GUID = "1"  # of the pool that the snapshots to come are taken in


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot in the calendar. `tier` is what keeps it; None: something else does."""

    moment: datetime
    tier: Tier | None
    why: str
    real: bool  # it is there already


class Calendar(msgspec.Struct, frozen=True, kw_only=True):
    """What is there at `at`, newest first."""

    at: datetime
    marks: tuple[Mark, ...]

    @property
    def counts(self) -> dict[Tier, int]:
        """How many each tier keeps, highest tier first."""
        found = {tier: sum(mark.tier == tier for mark in self.marks) for tier in reversed(TIERS)}
        return {tier: count for tier, count in found.items() if count}

    @property
    def oldest(self) -> datetime | None:
        """How far one can go back."""
        return self.marks[-1].moment if self.marks else None


def calendar(
    policy: Policy, existing: Iterable[Snapshot], *, now: datetime, at: datetime, pool_guid: str = _GUID
) -> Calendar:
    """What is kept at `at` if the policy holds from `now` on. Pure: from the policy and what is there."""
    real = list(existing)
    coming = _coming(policy, now, at, first=not real, pool_guid=pool_guid)
    verdicts = judge([*real, *coming], policy, at, pool_guid=pool_guid)
    names = {one.name for one in real}
    return Calendar(
        at=at,
        marks=tuple(
            Mark(
                moment=moment_of(verdict.snapshot),
                tier=verdict.tier if verdict.why == "tier" else None,
                why=verdict.words,
                real=verdict.snapshot.name in names,
            )
            for verdict in verdicts
            if not verdict.delete
        ),
    )


def _coming(policy: Policy, now: datetime, at: datetime, *, first: bool, pool_guid: str) -> list[Snapshot]:
    """Those that will have been taken by `at`, as far as they can still be there: of each tier the last."""
    if policy.off:
        return []
    highest: dict[datetime, Tier] = {}
    if first and policy.tiers:
        highest[now] = policy.tiers[-1]  # the first one is taken at once
    for tier in policy.tiers:
        for moment in slots.last_ones(policy, tier, policy.count(tier) + 2, since=now, until=at):
            highest[moment] = tier  # tiers come lowest first: the highest name stays
    return [
        Snapshot(
            name=f"@{tag_of(tier, moment)}", guid="0", created=int(moment.timestamp()), used_bytes=0,
            referenced_bytes=0, mark=pool_guid,
        )
        for moment, tier in highest.items()
    ]  # fmt: skip
