"""Which self-tests begin: pure, over disks, settings and the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from disks.self_tests.rules import Candidate, Start, age_days, obstacle, overdue, to_start, within
from disks.self_tests.settings import DiskSchedule, SelfTestSettings
from disks.self_tests.state import uses
from host.inventory.progress import Scan
from tests.alerts.cases import disks, raidz2

NOW = datetime(2026, 11, 25, 2, 30, tzinfo=UTC)  # a Wednesday
USUAL = SelfTestSettings()


def ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def disk(name: str, *, short: float | None = 1, long: float | None = 1, **changes: Any) -> Candidate:
    """A disk whose last tests are so many days old."""
    last = {kind: ago(days) for kind, days in (("short", short), ("long", long)) if days is not None}
    values: dict[str, Any] = {"since": ago(400), "groups": (name,), "last": last}
    return Candidate(id=name, **values | changes)


def begun(*disks: Candidate, now: datetime = NOW, **settings: Any) -> list[tuple[str, str]]:
    wanted = msgspec.structs.replace(USUAL, **settings)
    return [(one.disk, one.kind) for one in to_start(disks, wanted, now, "UTC")]


def test_a_test_begins_when_its_interval_has_passed() -> None:
    assert begun(disk("a", short=6.7, long=29)) == []
    assert begun(disk("a", short=6.8, long=29)) == [("a", "short")]
    assert begun(disk("a", short=1, long=30)) == [("a", "long")]


def test_a_long_test_does_what_a_short_one_does() -> None:
    assert begun(disk("a", short=20, long=5)) == []
    assert age_days(disk("a", short=20, long=5), "short", NOW) == 5


def test_short_tests_come_first_and_of_a_kind_what_waited_longest() -> None:
    disks = [
        disk("a", long=31),
        disk("b", short=8, long=9),
        disk("c", short=None, long=None),
        disk("d", long=60),
    ]
    assert begun(*disks, at_once=4) == [("c", "short"), ("b", "short"), ("d", "long"), ("a", "long")]


def test_never_more_than_some_on_the_machine_nor_two_of_a_vdev() -> None:
    many = [disk(f"d{n:03}", short=None, long=None, groups=(f"vdev:{n // 6}",)) for n in range(102)]
    first = begun(*many)
    assert first == [("d000", "short"), ("d006", "short")]
    running = [msgspec.structs.replace(one, testing=one.id == "d000") for one in many]
    assert begun(*running) == [("d006", "short")]
    assert begun(*(msgspec.structs.replace(one, testing=one.id in {"d000", "d006"}) for one in many)) == []
    of_one = [msgspec.structs.replace(one, groups=("vdev:0",)) for one in many]
    assert begun(*of_one, at_once=16) == [("d000", "short")]


def test_a_machine_that_was_off_for_months_catches_up_in_turn() -> None:
    """Minute by minute through nights, short tests of two minutes and long ones of ten hours."""
    ends: dict[str, tuple[str, datetime]] = {}
    disks = {f"d{n}": disk(f"d{n}", short=100, long=100) for n in range(6)}
    now, together, started = NOW, 0, 0
    while now < NOW + timedelta(days=7):
        for name, (kind, end) in list(ends.items()):
            if now >= end:
                del ends[name]
                one = disks[name]
                disks[name] = msgspec.structs.replace(one, testing=False, last=one.last | {kind: now})
        for start in to_start(list(disks.values()), USUAL, now, "UTC"):
            takes = timedelta(minutes=2) if start.kind == "short" else timedelta(hours=10)
            ends[start.disk] = (start.kind, now + takes)
            one = disks[start.disk]
            disks[start.disk] = msgspec.structs.replace(
                one, testing=True, tried=one.tried | {start.kind: now}
            )
            started += 1
        together = max(together, len(ends))
        now += timedelta(minutes=1) if within(USUAL, now, "UTC") or ends else timedelta(minutes=30)
    assert together == 2
    assert all(age_days(one, kind, now) < 8 for one in disks.values() for kind in ("short", "long"))  # type: ignore[operator]
    assert started <= 6 * 3  # one short and one long each, and at most a second short one


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"busy": "tank is being scrubbed."}, "tank is being scrubbed."),
        ({"asleep": True}, "The disk sleeps, and is not woken before its last test is 30 days old."),
        ({"asleep": None},
         "It is not known whether the disk sleeps, and is not woken before its last test is 30 days old."),
        ({"testing": True}, "A self-test is running."),
        ({"tried": {"short": ago(1)}},
         "It was started lately and did not end; it is started again after two days."),
    ],
)  # fmt: skip
def test_what_goes_on_comes_first(changes: dict[str, Any], why: str) -> None:
    one = disk("a", short=10, long=10, **changes)
    assert begun(one) == []
    assert obstacle(one, "short", USUAL, NOW) == why


def test_a_sleeping_disk_is_woken_at_its_longest_age() -> None:
    assert begun(disk("a", short=29, long=29, asleep=True)) == []
    assert begun(disk("a", short=31, long=31, asleep=True)) == [("a", "short")]
    assert begun(disk("a", short=1, long=89, asleep=True)) == []
    assert begun(disk("a", short=1, long=91, asleep=True)) == [("a", "long")]
    new = disk("a", short=None, long=None, asleep=True, since=ago(20))
    assert begun(new) == [] and not overdue(new, "short", USUAL, NOW)
    assert begun(msgspec.structs.replace(new, since=ago(31))) == [("a", "short")]


def test_a_disk_without_self_tests_and_one_that_is_switched_off_are_left_alone() -> None:
    for changes in ({"offers": False}, {"offers": None}, {"schedule": DiskSchedule(which="off")}):
        one = disk("a", short=None, long=None, **changes)
        assert begun(one) == [] and not overdue(one, "long", USUAL, NOW)
    assert begun(disk("a", short=None, long=None), enabled=False) == []


def test_a_disk_has_intervals_of_its_own() -> None:
    own = DiskSchedule(which="own", short_days=1)
    assert begun(disk("a", short=2, long=2, schedule=own)) == [("a", "short")]
    assert begun(disk("a", short=0.5, long=500, schedule=own)) == []


@pytest.mark.parametrize(
    ("at", "chosen", "inside"),
    [
        ("2026-11-25T00:59", {}, False), ("2026-11-25T01:00", {}, True), ("2026-11-25T06:00", {}, False),
        ("2026-11-25T23:30", {"from_hour": 22, "until_hour": 6}, True),
        ("2026-11-28T02:00", {"from_hour": 22, "until_hour": 6, "weekdays": ("fri",)}, True),
        ("2026-11-27T02:00", {"from_hour": 22, "until_hour": 6, "weekdays": ("fri",)}, False),
        ("2026-11-25T13:00", {"from_hour": 3, "until_hour": 3}, True),
        ("2026-11-25T02:00", {"weekdays": ("sat", "sun")}, False),
    ],
)  # fmt: skip
def test_tests_begin_within_the_hours_and_days(at: str, chosen: dict[str, Any], inside: bool) -> None:
    moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
    assert within(msgspec.structs.replace(USUAL, **chosen), moment, "UTC") is inside


def test_hours_are_those_of_the_time_zone() -> None:
    assert within(USUAL, datetime(2026, 11, 25, 0, 30, tzinfo=UTC), "Europe/Berlin")
    assert not within(USUAL, datetime(2026, 11, 25, 5, 30, tzinfo=UTC), "Europe/Berlin")


def test_a_clock_that_jumps_by_a_day_starts_nothing_twice_and_loses_nothing() -> None:
    done = disk("a", short=0, long=0)
    back, ahead = NOW - timedelta(days=1), NOW + timedelta(days=1)
    assert begun(done, now=back) == [] and begun(done, now=ahead) == []
    assert begun(disk("a", short=6.5, long=6.5), now=ahead) == [("a", "short")]


def test_a_clock_that_was_years_ahead_does_not_end_the_schedule() -> None:
    wrong = disk("a", short=-2000, long=-2000, tried={"short": ago(-2000)})
    assert begun(wrong) == [("a", "short")]


def test_the_answer_is_in_the_order_to_begin() -> None:
    assert to_start([disk("a", short=8, long=9)], USUAL, NOW, "UTC") == (Start(disk="a", kind="short"),)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"scan": Scan(function="SCRUB", state="SCANNING")}, "tank is being scrubbed."),
        ({"scan": Scan(function="SCRUB", state="SCANNING", paused="2026-11-01T00:00:00Z")}, ""),
        ({"scan": Scan(function="RESILVER", state="SCANNING")}, "tank is resilvering."),
        ({"scan": Scan(function="SCRUB", state="FINISHED")}, ""),
    ],
)
def test_members_of_a_vdev_wait_for_one_another_and_for_the_pool(changes: dict[str, Any], why: str) -> None:
    members = disks(6)
    found = list(uses(raidz2(members, **changes)))
    assert [name for name, _, _ in found] == [one.id for one in members]
    assert len({group for _, group, _ in found}) == 1 and {words for _, _, words in found} == {why}


def test_no_disk_of_a_degraded_vdev_is_tested() -> None:
    members = disks(6)
    found = list(uses(raidz2(members, leaves={3: {"state": "FAULTED"}})))
    assert {words for _, _, words in found} == {
        "raidz2-0 of tank is not healthy, and every one of its disks is needed."
    }
