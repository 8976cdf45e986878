"""Policies as text: what is read, what is refused with which words, and where a policy comes from."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.inventory import Inventory, Property
from pools.policies.rules.effective import after, effective
from pools.policies.rules.policy import PROPERTY, BadPolicy, Policy, parse, text_of
from tests import made

FULL = (
    "frequent=8 hourly=24 daily=30 weekly=8 monthly=12 yearly=1 every=10m at=02:30 on=sun max-age=26h"
    " tz=Europe/Berlin"
)


def test_every_part_is_read() -> None:
    assert parse(FULL) == Policy(
        frequent=8, hourly=24, daily=30, weekly=8, monthly=12, yearly=1, every_minutes=10, at="02:30",
        on="sun", max_age_minutes=26 * 60, time_zone="Europe/Berlin",
    )  # fmt: skip
    assert text_of(parse(FULL)) == FULL


def test_off_is_a_policy_of_its_own() -> None:
    assert parse("off") == Policy(off=True)
    assert text_of(Policy(off=True)) == "off"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("", [("", "one tier")]),
        ("tz=UTC", [("", "one tier")]),
        ("daily=0", [("", "one tier")]),
        ("off daily=3", [("off", "not valid")]),
        ("dayly=3", [("dayly", "not valid")]),
        ("daily", [("daily", "not valid")]),
        ("daily=3 daily=4", [("daily", "twice")]),
        ("daily=-1", [("daily", "whole number")]),
        ("daily=1001", [("daily", "whole number")]),
        ("daily=³", [("daily", "whole number")]),
        ("daily=3 at=24:00", [("at", "time of day")]),
        ("frequent=3 every=7m", [("every", "one of 5m")]),
        ("daily=3 every=5m", [("every", "only applies together with frequent")]),
        ("daily=3 on=mon", [("on", "only applies together with weekly")]),
        ("weekly=3 on=monday", [("on", "one of sun")]),
        ("daily=3 tz=Mars/Olympus", [("tz", "no such time zone")]),
        ("daily=3 max-age=1y", [("max-age", "m, h or d")]),
        ("daily=3 max-age=0h", [("max-age", "m, h or d")]),
        ("daily=3 max-age=23h", [("max-age", "always overdue")]),
        ("daily=x hourly=y\ttz=?", [("daily", "whole number"), ("hourly", "whole number")]),
        ("daily=3 " * 60, [("", "at most 400")]),
    ],
)
def test_what_cannot_be_read_says_all_that_is_wrong(text: str, faults: list[tuple[str, str]]) -> None:
    with pytest.raises(BadPolicy) as bad:
        parse(text)
    assert [part for part, _ in bad.value.faults] == [part for part, _ in faults]
    for (_, message), (_, words) in zip(bad.value.faults, faults, strict=True):
        assert words in message


@given(st.text(max_size=60))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        assert parse(text_of(parse(text))) == parse(text)
    except BadPolicy as bad:
        assert bad.faults


@pytest.mark.parametrize(
    ("text", "hours"),
    [("frequent=4", 1), ("hourly=4", 2), ("daily=4", 48), ("weekly=4", 8 * 24), ("daily=4 max-age=25h", 25)],
)
def test_how_old_the_newest_may_be(text: str, hours: int) -> None:
    assert parse(text).max_age == timedelta(hours=hours)


def machine() -> Inventory:
    return made.inventory(
        pools=(made.pool(),),
        datasets=(
            made.dataset("tank", **{PROPERTY: "daily=3"}),
            made.dataset("tank/a", **{PROPERTY: made.inherited("daily=3", "tank")}),
            made.dataset("tank/a/b", **{PROPERTY: "off"}),
            made.dataset("tank/a/b/c", **{PROPERTY: made.inherited("off", "tank/a/b")}),
            made.dataset("tank/copy", **{PROPERTY: Property(value="daily=9", source="received")}),
            made.dataset("tank/copy/x", **{PROPERTY: made.inherited("daily=9", "tank/copy")}),
            made.dataset("tank/odd", **{PROPERTY: "dialy=9"}),
        ),
    )


def test_where_a_policy_comes_from_and_whether_it_acts() -> None:
    inventory = machine()
    found = [effective(dataset, inventory) for dataset in inventory.datasets]
    assert [(one.dataset, one.origin, one.source, one.acts) for one in found] == [
        ("tank", "local", "tank", True),
        ("tank/a", "inherited", "tank", True),
        ("tank/a/b", "local", "tank/a/b", False),
        ("tank/a/b/c", "inherited", "tank/a/b", False),
        ("tank/copy", "received", "tank/copy", False),
        ("tank/copy/x", "received", "tank/copy", False),
        ("tank/odd", "local", "tank/odd", False),
    ]
    assert "dialy" in found[-1].fault


def test_what_follows_a_change_and_what_is_shielded() -> None:
    inventory = machine()
    changed = [(then.dataset, then.text) for _, then in after(inventory, "tank", "hourly=2")]
    assert changed == [("tank", "hourly=2"), ("tank/a", "hourly=2")]
    dropped = [(then.dataset, then.text, then.origin) for _, then in after(inventory, "tank/a/b", None)]
    assert dropped == [("tank/a/b", "daily=3", "inherited"), ("tank/a/b/c", "daily=3", "inherited")]
