"""What is deleted and what is not: the rules as properties, and a few lives in full."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from host.inventory import Snapshot
from pools.policies.rules.names import tier_of
from pools.policies.rules.policy import TIERS, Policy
from pools.policies.rules.retention import doomed, judge
from tests.fuzzing import tries
from tests.pools.policies.cases import GUID, NOW, policies, snapshots, steady, taken

_many = tries(150)
moments = st.one_of(
    st.just(NOW),
    st.integers(-900_000_000, 900_000_000).map(lambda seconds: NOW + timedelta(seconds=seconds)),
)
Listed = list[Snapshot]


def gone(listed: Listed, policy: Policy, now: datetime) -> set[str]:
    return {one.name for one in doomed(listed, policy, now, pool_guid=GUID)}


def pruned(policy: Policy) -> Listed:
    """What is left of a steady life."""
    listed = steady(policy, days=20)
    going = gone(listed, policy, NOW)
    return [one for one in listed if one.name not in going]


@_many
@given(snapshots, policies, moments)
def test_one_that_it_did_not_take_is_never_deleted(listed: Listed, policy: Policy, now: datetime) -> None:
    foreign = {one.name for one in listed if one.mark != GUID or "@auto-" not in one.name}
    assert not gone(listed, policy, now) & foreign


@_many
@given(snapshots, policies, moments)
def test_one_that_is_held_is_never_deleted(listed: Listed, policy: Policy, now: datetime) -> None:
    assert not gone(listed, policy, now) & {one.name for one in listed if one.holds}


@_many
@given(snapshots, policies, moments)
def test_one_with_clones_is_never_deleted(listed: Listed, policy: Policy, now: datetime) -> None:
    assert not gone(listed, policy, now) & {one.name for one in listed if one.clones}


@_many
@given(snapshots, policies, moments)
def test_the_newest_is_never_deleted(listed: Listed, policy: Policy, now: datetime) -> None:
    ours = [one for one in listed if tier_of(one, GUID)]
    for among in (listed, ours):
        if among:
            newest = max(among, key=lambda one: (one.created, one.tag))
            assert newest.name not in gone(listed, policy, now)


@_many
@given(snapshots, policies, moments)
def test_one_goes_only_if_it_is_older_than_its_tier(listed: Listed, policy: Policy, now: datetime) -> None:
    for one in doomed(listed, policy, now, pool_guid=GUID):
        tier = tier_of(one, GUID)
        assert tier is not None
        assert now.timestamp() - one.created > policy.count(tier) * policy.period(tier).total_seconds()


@_many
@given(snapshots, policies, moments)
def test_one_goes_only_if_enough_newer_ones_stay(listed: Listed, policy: Policy, now: datetime) -> None:
    going = gone(listed, policy, now)
    for one in listed:
        tier = tier_of(one, GUID)
        if one.name not in going or tier is None:
            continue
        stay = [
            other
            for other in listed
            if other.name not in going and other.created >= one.created
            and (own := tier_of(other, GUID)) and TIERS.index(own) >= TIERS.index(tier)
        ]  # fmt: skip
        assert len(stay) >= policy.count(tier)


@_many
@given(snapshots, policies, moments)
def test_a_second_run_deletes_nothing_more(listed: Listed, policy: Policy, now: datetime) -> None:
    going = gone(listed, policy, now)
    assert gone([one for one in listed if one.name not in going], policy, now) == set()


@_many
@given(snapshots, policies, moments, st.sampled_from(TIERS), st.integers(1, 20))
def test_a_larger_count_never_deletes_more(
    listed: Listed, policy: Policy, now: datetime, tier: str, more: int
) -> None:
    larger = msgspec.structs.replace(policy, **{tier: getattr(policy, tier) + more})
    assert gone(listed, larger, now) <= gone(listed, policy, now)


@_many
@given(snapshots, policies, moments, st.randoms(use_true_random=False))
def test_the_order_does_not_matter(listed: Listed, policy: Policy, now: datetime, chance: object) -> None:
    other = list(listed)
    chance.shuffle(other)  # type: ignore[attr-defined]
    assert judge(other, policy, now, pool_guid=GUID) == judge(listed, policy, now, pool_guid=GUID)


@_many
@given(snapshots, policies, moments)
def test_each_is_judged_once_and_says_why(listed: Listed, policy: Policy, now: datetime) -> None:
    verdicts = judge(listed, policy, now, pool_guid=GUID)
    assert sorted(one.snapshot.name for one in verdicts) == sorted(one.name for one in listed)
    for verdict in verdicts:
        assert verdict.delete == (verdict.why == "expired")
        assert verdict.words.startswith("kept") != verdict.delete


@_many
@given(snapshots, policies, st.integers(1, 900_000_000))
def test_later_never_keeps_what_earlier_deleted(listed: Listed, policy: Policy, later: int) -> None:
    assert gone(listed, policy, NOW) <= gone(listed, policy, NOW + timedelta(seconds=later))


@_many
@given(snapshots, moments)
def test_a_policy_that_is_off_deletes_nothing(listed: Listed, now: datetime) -> None:
    assert gone(listed, Policy(off=True), now) == set()


def test_a_steady_life_keeps_just_its_counts() -> None:
    policy = Policy(hourly=24, daily=7)
    listed = steady(policy, days=20)
    kept = [one for one in judge(listed, policy, NOW, pool_guid=GUID) if not one.delete]
    assert {tier: sum(one.tier == tier for one in kept) for tier in ("hourly", "daily")} == {
        "hourly": 23, "daily": 7,
    }  # fmt: skip
    # The midnight of the last 24 hours is a daily one, and the 24th of the hourly ones.
    assert len(kept) == 30
    assert kept[-1].snapshot.created == int(datetime(2026, 11, 15, tzinfo=UTC).timestamp())


def test_a_clock_that_jumps_to_2038_and_back_costs_next_to_nothing() -> None:
    policy = Policy(hourly=24, daily=7)
    listed = pruned(policy)
    far = datetime(2038, 1, 19, 3, 14, 7, tzinfo=UTC)
    assert gone(listed, policy, far) == set()
    wrong = [taken("hourly", far + timedelta(hours=hour)) for hour in range(3)]
    after = gone([*listed, *wrong], policy, far + timedelta(hours=3))
    assert len(after) == 3  # one for each that was taken
    left = [one for one in (*listed, *wrong) if one.name not in after]
    later = NOW + timedelta(hours=1)
    assert gone([*left, taken("hourly", later)], policy, later) == set()


def test_months_without_power_cost_nothing() -> None:
    policy = Policy(hourly=24, daily=7)
    listed = pruned(policy)
    assert gone(listed, policy, NOW + timedelta(days=200)) == set()


def test_a_tier_that_was_dropped_goes_unless_a_lower_one_keeps_it() -> None:
    listed = [taken("daily", NOW - timedelta(days=day)) for day in range(5)]
    assert len(gone(listed, Policy(hourly=2), NOW)) == 3
    assert gone(listed, Policy(weekly=4), NOW) == {one.name for one in listed[1:]}
