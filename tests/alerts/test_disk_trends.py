"""What the doctor says of counts over months, and the alert of disks that are too warm."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from alerts.doctor.examine import examine
from alerts.evidence import Evidence, OverdueTest
from alerts.gathering import gather_all
from alerts.incidents import failing, heat
from alerts.incidents.members import all_members
from disks import tasks
from disks.models import DiskDay, DiskRecord
from disks.records import record_of
from disks.smart import days, readings
from disks.trends import Counted
from host.inventory import SmartReading
from host.simulated import SimulatedHost
from jobs import cache
from tests.alerts.cases import AT, disks, memory, raidz2, reading
from tests.conftest import refresh

TODAY = datetime.fromisoformat(AT).date()


def counted(field: str, *values: int) -> tuple[Counted, ...]:
    """A day apart, the last today."""
    first = TODAY - timedelta(days=len(values) - 1)
    return tuple(
        Counted(day=first + timedelta(days=place), **{field: value}) for place, value in enumerate(values)
    )


def found(field: str, *values: int, **disk: Any) -> list[tuple[str, str]]:
    """Code and severity of what is said of one of six disks."""
    members = disks(6)
    members[2] = msgspec.structs.replace(members[2], **disk)
    known = memory(members)
    one = msgspec.structs.replace(known.disks[members[2].id], days=counted(field, *values))
    known = msgspec.structs.replace(known, disks=known.disks | {members[2].id: one})
    codes = {"sectors-rising", "crc-rising", "wear-ending", "spare-falling"}
    seen = [one for one in examine(raidz2(members), known).findings if one.code in codes]
    assert all(one.title.startswith("Bay A3: the disk") for one in seen)
    return [(one.code, one.severity) for one in seen]


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ("reallocated", "sectors-rising"), ("pending", "sectors-rising"), ("uncorrectable", "sectors-rising"),
        ("crc", "crc-rising"),
    ],
)  # fmt: skip
def test_a_count_that_rises_is_one_finding(field: str, code: str) -> None:
    assert found(field, 0, 0, 3, 9) == [(code, "warning")]
    assert found(field, 9, 9, 9, 9) == []


def test_of_a_disk_that_fails_already_nothing_more_is_said() -> None:
    assert found("pending", 0, 0, 3, 9, health="failing") == []


def test_a_self_test_that_is_overdue_says_what_it_waits_for() -> None:
    members = disks(6)
    known = msgspec.structs.replace(memory(members), tests_overdue=(
        OverdueTest(disk=members[0].id, kind="long", days=120, waits="tank is being scrubbed."),
    ))  # fmt: skip
    (one,) = [one for one in examine(raidz2(members), known).findings if one.code == "self-test-overdue"]
    assert one.title == "Bay A1: the long self-test last ran 120 days ago"
    assert one.evidence[0].value == "tank is being scrubbed."
    assert one.fix[0].request == {"disk": members[0].id, "kind": "long"}


def test_disks_warmer_than_their_own_limit_are_one_alert() -> None:
    members = [msgspec.structs.replace(one, temperature_celsius=58) for one in disks(6)]
    known = memory(members)
    limits = {
        name: msgspec.structs.replace(one, reading=reading(hottest_celsius=55 if place < 2 else 60))
        for place, (name, one) in enumerate(known.disks.items())
    }
    (cause,) = heat.causes(raidz2(members), msgspec.structs.replace(known, disks=limits))
    assert (cause.kind, cause.severity, cause.title) == ("disk-too-warm", "warning", "2 disks are too warm")
    assert cause.details[0] == "Bay A1: 58 °C; its maker allows 55 °C."
    assert list(heat.causes(raidz2(members), known)) == []  # no limit is known


def test_a_disk_that_was_too_warm_has_to_cool_down_by_some_degrees() -> None:
    members = disks(6)
    known = memory(members)
    warm = msgspec.structs.replace(known.disks[members[0].id], reading=reading(hottest_celsius=55))
    for degrees, open_now, counts in ((55, False, 0), (53, True, 1), (52, True, 0)):
        here = [msgspec.structs.replace(members[0], temperature_celsius=degrees), *members[1:]]
        ids = frozenset({members[0].id} if open_now else ())
        evidence = msgspec.structs.replace(known, disks={**known.disks, members[0].id: warm}, too_warm=ids)
        assert len(list(heat.causes(raidz2(here), evidence))) == counts, degrees


def test_a_failed_self_test_is_in_the_words_of_a_failing_disk() -> None:
    said = "The last long self-test failed: read failure; first error at sector 77"
    members = disks(6)
    members[1] = msgspec.structs.replace(members[1], health="failing", unwell=(said,))
    machine = raidz2(members)
    (cause,) = failing.causes(all_members(machine, memory(members)), machine)
    assert cause.kind == "disk-failing" and f"{said}." in cause.details


@pytest.mark.django_db
def test_one_row_a_day_is_kept_for_two_years() -> None:
    at = timezone.now()
    record = DiskRecord.objects.create(
        key="x", model="WD", size_bytes=1, first_seen=at, last_seen=at, last_id="x"
    )
    readings.remember(record, SmartReading(at="2031-01-01T12:00:00+00:00", supported=True, crc_errors=1))
    for crc in (5, 6):
        readings.remember(record, SmartReading(at=at.isoformat(), supported=True, crc_errors=crc))
    tomorrow = (at + timedelta(days=1)).isoformat()
    readings.remember(record, SmartReading(at=tomorrow, supported=True, crc_errors=9))
    assert list(record.days.values_list("crc", flat=True)) == [5, 9, 1]
    assert [one.crc for one in days.days_of(record, at.date())] == [5]  # without days that have yet to come
    readings.remember(record, SmartReading(at=(at + timedelta(days=2)).isoformat(), supported=False))
    assert record.days.count() == 3  # it counted nothing
    first = at.date() - timedelta(days=800)
    DiskDay.objects.bulk_create(
        DiskDay(record=record, day=first + timedelta(days=place), crc=0) for place in range(800)
    )
    later = (at + timedelta(days=3)).isoformat()
    readings.remember(record, SmartReading(at=later, supported=True, crc_errors=9))
    assert record.days.count() == days.KEPT.days


def test_the_doctor_and_the_page_know_what_was_counted_before(simulated: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    disk = inventory.disks[0]
    simulated.age(disk.id, reallocated=12)
    tasks.read_smart()
    record = record_of(disk.id)
    assert record is not None
    today = timezone.now().date()
    for ago in (20, 10):
        DiskDay.objects.create(record=record, day=today - timedelta(days=ago), reallocated=ago == 10)
    refresh()
    inventory = cache.current()
    assert inventory is not None
    (one,) = [
        one for one in examine(inventory, gather_all(inventory)).findings if one.code == "sectors-rising"
    ]
    assert one.evidence[0].value == f"12 reallocated sectors, 12 more since {today - timedelta(days=20)}"
    assert len(days.days_of(record, today - timedelta(days=30))) == 3
    assert Evidence().tests_overdue == ()


def test_a_disk_of_the_machine_that_is_too_warm_is_seen(simulated: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    disk = inventory.disks[0]
    simulated.age(disk.id, temperature=64, hottest=60)
    tasks.read_smart()
    refresh()
    inventory = cache.current()
    assert inventory is not None
    (cause,) = heat.causes(inventory, gather_all(inventory))
    assert [spot.id for spot in cause.spots] == [disk.id] and "its maker allows 60 °C" in cause.details[0]
