"""The ways to lay out picked disks."""

from __future__ import annotations

import pytest

from frontend.layout_choices import Shape, choices, shape_of
from tests.made import WD_BYTES

FOUR_TB = 4_000_787_030_016


def possible(count: int) -> list[str]:
    return [choice.key for choice in choices([WD_BYTES] * count) if choice.answer]


def test_no_disks_give_no_choices() -> None:
    assert choices([]) == ()


def test_one_disk_can_only_be_a_stripe_and_the_others_say_what_they_need() -> None:
    found = choices([WD_BYTES])
    assert [choice.key for choice in found if choice.answer] == ["stripe:1"]
    assert [(choice.name, choice.why_not) for choice in found if not choice.answer] == [
        ("mirrors", "Needs an even number of disks."),
        ("raidz1", "Needs 3 disks or more."),
        ("raidz2", "Needs 4 disks or more."),
        ("raidz3", "Needs 5 disks or more."),
    ]


def test_six_disks_can_be_pairs_threes_or_raidz() -> None:
    assert possible(6) == [
        "mirror:3", "mirror:2", "raidz1:1", "raidz1:2", "raidz2:1", "raidz3:1", "stripe:1",
    ]  # fmt: skip


def test_many_disks_are_split_into_vdevs_that_rebuild_in_time() -> None:
    found = possible(90)
    assert [key for key in found if key.startswith("raidz2")] == ["raidz2:9", "raidz2:10"]
    assert "raidz2:1" not in found


def test_a_prime_number_of_disks_is_still_one_vdev() -> None:
    assert "raidz2:1" in possible(29)


def test_six_of_four_terabytes_in_raidz2_offer_what_a_fresh_pool_has() -> None:
    found = {choice.key: choice for choice in choices([FOUR_TB] * 6)}
    answer = found["raidz2:1"].answer
    assert answer is not None
    assert (answer.survives, answer.raw_bytes) == (2, 6 * FOUR_TB)
    assert found["raidz2:1"].survives == "any 2"
    assert found["stripe:1"].survives == "nothing"
    assert found["stripe:1"].rebuild == "–"


def test_eight_disks_as_four_mirrors_survive_a_second_failure_six_times_in_seven() -> None:
    found = {choice.key: choice for choice in choices([WD_BYTES] * 8)}
    assert found["mirror:4"].next_one == "86 %"
    assert found["raidz2:1"].next_one == "0 %"


def test_a_chance_is_never_rounded_to_certainty() -> None:
    found = {choice.key: choice for choice in choices([WD_BYTES] * 24)}
    assert found["mirror:8"].next_one == "> 99 %"


def test_disks_are_dealt_in_order() -> None:
    assert Shape(layout="raidz1", vdevs=2).deal("abcdef") == (("a", "b", "c"), ("d", "e", "f"))
    assert Shape(layout="stripe", vdevs=1).deal("ab") == (("a", "b"),)


def test_a_remainder_goes_to_the_last_vdev_for_the_plan_to_judge() -> None:
    assert Shape(layout="mirror", vdevs=2).deal("abcde") == (("a", "b"), ("c", "d", "e"))
    assert Shape(layout="mirror", vdevs=3).deal("ab") == (("a",), ("b",))


@pytest.mark.parametrize(
    "key", ["", "raidz2", "raidz9:1", "raidz2:0", "raidz2:-1", "raidz2:999", "x:" * 5000]
)
def test_a_foreign_key_is_no_shape(key: str) -> None:
    assert shape_of(key) is None
