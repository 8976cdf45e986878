"""The calendar against a life lived hour by hour."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from host.inventory import Snapshot
from pools.policies.rules import slots
from pools.policies.rules.calendar import calendar
from pools.policies.rules.due import due_tier
from pools.policies.rules.names import read_tag, tag_of, tier_of
from pools.policies.rules.policy import TIERS, Policy, Tier
from pools.policies.rules.retention import doomed
from tests.fuzzing import tries
from tests.pools.policies.cases import GUID, taken

START = datetime(2026, 11, 21, 12, tzinfo=UTC)


def _seconds(first: int, last: int) -> st.SearchStrategy[datetime]:
    """Any second of these years."""
    begin, end = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (first, last))
    return st.integers(begin, end).map(lambda second: datetime.fromtimestamp(second, UTC))


def lived(policy: Policy, until: datetime) -> set[str]:
    """What is there at `until` when the clock looks every hour."""
    there: list[Snapshot] = []
    newest: dict[Tier, datetime] = {}
    moment = START
    while moment <= until:
        if tier := due_tier(policy, newest, moment):
            there.append(taken(tier, moment))
            newest[tier] = moment
            going = set(doomed(there, policy, moment, pool_guid=GUID))
            there = [one for one in there if one not in going]
        moment += timedelta(hours=1)
    going = set(doomed(there, policy, until, pool_guid=GUID))
    return {one.tag for one in there if one not in going}


@tries(12)
@given(
    st.builds(Policy, hourly=st.integers(0, 30), daily=st.integers(0, 9), weekly=st.integers(0, 3),
              monthly=st.integers(0, 2), time_zone=st.sampled_from(("UTC", "Europe/Berlin"))),
    st.integers(1, 24 * 50),
)  # fmt: skip
def test_it_foretells_what_is_kept(policy: Policy, hours: int) -> None:
    until = START + timedelta(hours=hours)
    kept = lived(policy, until)
    marks = calendar(policy, [], now=START, at=until, pool_guid=GUID).marks
    foretold = {tag_of(tier, mark.moment) for mark in marks for tier in TIERS} & kept
    assert foretold == kept
    assert len(marks) == len(foretold)


@given(st.sampled_from(TIERS), _seconds(2000, 2099))
def test_a_name_is_read_back_as_it_was_given(tier: Tier, moment: datetime) -> None:
    assert read_tag(tag_of(tier, moment)) == (tier, moment)
    assert tier_of(taken(tier, moment), GUID) == tier
    assert tier_of(taken(tier, moment), "99") is None


@tries(40)
@given(
    st.sampled_from(TIERS),
    _seconds(2020, 2060),
    st.sampled_from(("UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns")),
)
def test_the_last_moment_of_a_tier_is_before_its_next(tier: Tier, now: datetime, zone: str) -> None:
    policy = Policy(frequent=1, hourly=1, daily=1, weekly=1, monthly=1, yearly=1, at="02:30", time_zone=zone)
    last, following = slots.latest(policy, tier, now), slots.following(policy, tier, now)
    assert last <= now < following
    assert following - last <= policy.period(tier) + timedelta(hours=1)
    assert slots.last_ones(policy, tier, 3, since=now - timedelta(days=2000), until=now)[-1] == last
