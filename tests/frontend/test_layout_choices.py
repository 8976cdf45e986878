"""The layouts of the picked disks as the builder shows them."""

from __future__ import annotations

from frontend.pools.layout_choices import Choice, Choices, choices
from pools.advice.recommendation import Use
from pools.create_pool import NewVdev
from tests import made


def found(count: int, *, use: Use = "mixed") -> Choices:
    disks = tuple(made.disk(number) for number in range(1, count + 1))
    return choices([disk.id for disk in disks], made.inventory(*disks), use=use, ashift=None)


def by_key(count: int) -> dict[str, Choice]:
    here = found(count)
    return {choice.key: choice for choice in (*here.shown, *here.more)}


def test_no_disks_or_vanished_ones_give_no_choices() -> None:
    assert choices([], made.inventory(), use="mixed", ashift=None) == Choices()
    assert choices(["ata-gone"], made.inventory(), use="mixed", ashift=None) == Choices()


def test_one_disk_stands_alone_and_the_others_say_what_they_need() -> None:
    here = found(1)
    assert [(choice.key, choice.name) for choice in here.shown] == [("stripe:1", "single disk")]
    assert dict(here.why_not) == {
        "mirror": "Needs 2 disks or more.",
        "raidz1": "Needs 3 disks or more.",
        "raidz2": "Needs 4 disks or more.",
        "raidz3": "Needs 5 disks or more.",
    }


def test_one_of_each_family_is_shown_and_the_recommended_one_is_first() -> None:
    here = found(6)
    assert [choice.key for choice in here.shown] == [
        "raidz2:1",
        "raidz3:1",
        "mirror:3",
        "raidz1:1",
        "stripe:1",
    ]
    assert {choice.key for choice in here.more} == {
        "mirror:2",
        "raidz1:2",
        "raidz1:1+1",
        "raidz2:1+1",
        "raidz3:1+1",
    }
    assert here.recommended == "raidz2:1"
    assert here.keys == set(by_key(6))


def test_twelve_disks_can_be_a_draid() -> None:
    shown = {choice.name: choice.detail for choice in found(12).shown}
    assert any(name.startswith("dRAID") and "spare spread over all" in shown[name] for name in shown)
    assert ("dRAID", "Makes sense from 12 disks on.") in found(11).why_not


def test_a_stripe_has_nothing_to_rebuild_from() -> None:
    stripe = by_key(6)["stripe:1"]
    assert (stripe.survives, stripe.rebuild, stripe.second) == ("nothing", "–", "0 %")


def test_eight_disks_as_four_mirrors_survive_a_second_failure_six_times_in_seven() -> None:
    mirrors, raidz2 = by_key(8)["mirror:4"], by_key(8)["raidz2:1"]
    assert (mirrors.second, mirrors.third) == ("86 %", "57 %")
    assert (raidz2.survives, raidz2.second, raidz2.third) == ("any 2", "100 %", "0 %")


def test_a_chance_is_never_rounded_to_certainty() -> None:
    assert by_key(24)["mirror:8"].third == "> 99 %"


def test_warnings_of_the_disks_are_said_once_and_those_of_a_layout_with_it() -> None:
    here = found(6)
    assert len([text for text in here.warnings if "one batch" in text]) == 1
    assert not any("one batch" in text for choice in here.shown for text in choice.warnings)
    assert any("12.5 TB" in text for text in by_key(6)["raidz1:1"].warnings)


def test_an_ashift_that_the_disks_cannot_have_is_said_instead() -> None:
    disks = (made.disk(1), made.disk(2))
    here = choices([disk.id for disk in disks], made.inventory(*disks), use="mixed", ashift=9)
    assert not here.shown
    assert "need ashift 12" in here.warnings[0]


def test_a_card_counts_the_spares_that_were_ticked_with_its_own() -> None:
    disks = tuple(made.disk(number) for number in range(1, 8))
    ids = [disk.id for disk in disks]
    spare = NewVdev(role="spare", layout="stripe", disks=(ids[6],))
    here = choices(ids[:6], made.inventory(*disks), use="mixed", ashift=None, beside=(spare,))
    details = {choice.key: choice.detail for choice in (*here.shown, *here.more)}
    assert (details["raidz1:1"], details["raidz1:1+1"]) == ("6 disks, 1 spare", "5 disks, 2 spares")
    assert details["mirror:3"] == "of 2 disks each, 1 spare"
