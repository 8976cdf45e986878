"""Snapshots and policies to try the rules on."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
from hypothesis import strategies as st

from host.inventory import Snapshot
from pools.policies.rules.names import tag_of
from pools.policies.rules.policy import TIERS, Policy, Tier

GUID = "12345678901234567890"
NOW = datetime(2026, 11, 21, 14, 0, 7, tzinfo=UTC)


def taken(tier: Tier, moment: datetime, *, dataset: str = "tank/a", **more: object) -> Snapshot:
    """One that a policy took."""
    values: dict[str, object] = {
        "name": f"{dataset}@{tag_of(tier, moment)}", "guid": str(int(moment.timestamp())),
        "created": int(moment.timestamp()), "used_bytes": 1, "referenced_bytes": 2, "mark": GUID,
    }  # fmt: skip
    return Snapshot(**(values | more))  # type: ignore[arg-type]


def steady(policy: Policy, days: int, now: datetime = NOW) -> list[Snapshot]:
    """What is taken in `days` of an uninterrupted life, nothing deleted."""
    moment = now - timedelta(days=days)
    found: list[Snapshot] = []
    while moment <= now:
        start = moment.replace(minute=0, second=0, microsecond=0)
        tier: Tier = "daily" if start.hour == 0 else "hourly"
        if tier in policy.tiers:
            found.append(taken(tier, start))
        moment += timedelta(hours=1)
    return found


counts = st.integers(0, 6)
policies = st.builds(
    Policy, frequent=counts, hourly=counts, daily=counts, weekly=counts, monthly=counts, yearly=counts,
    every_minutes=st.sampled_from((5, 10, 15, 20, 30)),
)  # fmt: skip
_ages = st.one_of(st.integers(-4_000_000, 4_000_000), st.integers(-200_000_000, 900_000_000))


_kinds = st.tuples(
    st.sampled_from(TIERS), _ages, st.sampled_from((0, 0, 0, 0, 1)), st.integers(0, 9), st.integers(0, 9)
)


def _snapshot(kind: tuple[Tier, int, int, int, int]) -> Snapshot:
    tier, age, holds, luck, other = kind
    moment = NOW - timedelta(seconds=age)
    mark = "" if luck == 0 else "99" if luck == 1 else GUID
    made = taken(tier, moment, holds=holds, mark=mark, clones=("tank/clone",) if other == 0 else ())
    if other == 1:
        return msgspec.structs.replace(made, name=f"tank/a@by-hand-{made.guid}")
    return made


snapshots = st.lists(_kinds.map(_snapshot), max_size=14, unique_by=lambda one: one.name)
