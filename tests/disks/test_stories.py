"""The story of a disk stays short enough to be read, whatever its link does."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from disks import history
from disks.history import record_event
from disks.models import DiskEvent
from disks.records import all_records, history_of, record_of
from tests.disks.cases import disk
from tests.disks.test_records import kinds, probe

pytestmark = pytest.mark.django_db


def words_of(serial: str = "WD-0001") -> list[str]:
    record = record_of(serial)
    assert record is not None
    return [event.view()["words"] for event in reversed(history_of(record))]


def swing(times: int, *, start: float = 0, every: float = 0.2) -> None:
    """It is seen, and goes and comes back so often."""
    for number in range(times):
        probe(disk(2), minutes=start + number * every * 2 + every)
        probe(disk(1), disk(2), minutes=start + number * every * 2 + 2 * every)


def test_a_link_that_swings_is_one_line_with_a_count() -> None:
    probe(disk(1), disk(2))
    swing(40)
    assert words_of() == [
        "First seen in bay A1",
        "Gone from bay A1, 40 times in a row",
        "Came back in bay A1",
    ]
    assert [event.times for event in history_of(all_records()[0])] == [1, 40, 1]


def test_who_stayed_for_longer_than_a_minute_left_anew() -> None:
    probe(disk(1), disk(2))
    swing(2, every=1.1)
    assert kinds("WD-0001") == ["first-seen", "gone", "came-back", "gone", "came-back"]


def test_the_first_that_leaves_within_a_minute_is_no_repetition() -> None:
    probe(disk(1), disk(2))
    probe(disk(2), minutes=0.5)
    assert words_of() == ["First seen in bay A1", "Gone from bay A1"]


def test_what_is_old_makes_room_but_not_how_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "_MOST_EVENTS", 5)
    probe(disk(1), disk(2), minutes=-60)
    swing(4, start=-60, every=2)
    assert kinds("WD-0001") == ["first-seen", *["came-back", "gone"] * 2, "came-back"]
    record = record_of("WD-0001")
    assert record is not None
    for number in range(6):
        record_event(record, "test", f"Test {number}")
    assert words_of() == ["First seen in bay A1", *(f"Test {number}" for number in range(1, 6))]
    assert kinds("WD-0002") == ["first-seen"]


def test_the_newest_of_a_long_story_are_read() -> None:
    probe(disk(1))
    record = all_records()[0]
    start = timezone.now() + timedelta(minutes=1)
    DiskEvent.objects.bulk_create(
        DiskEvent(record=record, at=start + timedelta(seconds=number), kind="test", words=str(number))
        for number in range(5)
    )
    assert [event.words for event in history_of(record, most=3)] == ["4", "3", "2"]
