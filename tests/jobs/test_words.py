"""Disks, and how long something takes, as summaries say it."""

from __future__ import annotations

import pytest

from jobs.planning.words import erased, in_bay, named, roughly, sentences
from tests import made


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "about a minute"), (119, "about a minute"), (120, "about 2 minutes"), (5400, "about 90 minutes"),
        (7200, "about 2 hours"), (413 * 60, "about 7 hours"), (100_000, "about 28 hours"),
        (3.6 * 86_400, "about 4 days"),
    ],
)  # fmt: skip
def test_an_estimate_is_in_one_unit(seconds: float, words: str) -> None:
    assert roughly(seconds) == words


def test_disks_are_named_as_their_owner_finds_them() -> None:
    lost = made.disk(2, bay=None)
    assert named(made.disk(1)) == "disk in bay A1 (WD-0001)"
    assert named(lost) == "disk WDC WD30EFRX (WD-0002)"
    assert named(made.disk(1, serial=None)) == "disk in bay A1"
    assert in_bay(made.disk(1), made.disk(3)) == "disks in bays A1 and A3"
    assert in_bay(made.disk(1), lost) == "disks WD-0001 and WD-0002"
    assert in_bay(*(made.disk(n) for n in range(1, 9))) == "disks in bays A1, A2, A3, A4, A5, A6 and 2 more"


def test_what_is_erased_is_said_of_disks_that_hold_something() -> None:
    one, two = made.with_file_system(1), made.with_file_system(2)
    assert erased(made.disk(1)) == ""
    assert erased(one, made.disk(2)) == "Everything on the disk in bay A1 is erased."
    assert erased(one, two) == "Everything on these 2 disks is erased."
    assert erased(one, two, made.disk(3)) == "Everything on the disks in bays A1 and A2 is erased."
    assert sentences("One.", "", "Two.") == "One. Two."
