"""Self-tests on schedule, on the simulated machine: started as jobs, told in the disk's story."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.utils import timezone

from disks import tasks
from disks.models import DiskRecord
from disks.records import all_records, history_of, record_of
from disks.self_tests import stored
from disks.self_tests.overview import overview
from disks.self_tests.settings import DiskSchedule, SelfTestSettings
from disks.smart import log
from host.inventory import SelfTest, SmartReading
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job, State

SERIAL = "WD-WMC4N0D2J7PA"
ALWAYS = SelfTestSettings(from_hour=0, until_hour=0, at_once=1)


def jobs() -> list[tuple[str, str, str]]:
    """Serial, kind and who asked, in their order."""
    rows = Job.objects.filter(operation="disk.smart-test").order_by("pk")
    return [(job.request["serial"], job.request["kind"], job.submitted_by) for job in rows]


def asleep(machine: SimulatedHost) -> bool:
    """Whether the disk is in standby."""
    (smart,) = (disk.smart for disk in machine.machine().disks if disk.serial == SERIAL)
    return smart is not None and smart.asleep


def only(serial: str, **schedule: Any) -> None:
    """Let no other disk be tested."""
    for record in all_records():
        own = DiskSchedule(**schedule) if record.serial == serial else DiskSchedule(which="off")
        stored.keep_schedule(record, own)


def test_a_test_that_is_due_is_an_ordinary_job_and_its_end_is_in_the_story(simulated: SimulatedHost) -> None:
    tasks.read_smart()
    stored.keep_settings(ALWAYS)
    only(SERIAL)
    tasks.run_self_tests()
    assert jobs() == [(SERIAL, "short", "schedule")]
    assert Job.objects.get().state == State.SUCCEEDED
    tasks.run_self_tests()  # one runs
    simulated.pass_time(60)
    tasks.follow()
    record = record_of(SERIAL)
    assert record is not None and set(record.tested) == {"short"}
    assert history_of(record)[1].words == "Short self-test started on schedule"
    assert history_of(record)[0].words.startswith("Short self-test passed: Completed without error, after ")
    tasks.run_self_tests()
    assert jobs() == [(SERIAL, "short", "schedule"), (SERIAL, "long", "schedule")]


def test_outside_its_hours_and_while_its_pool_is_scrubbed_nothing_begins(simulated: SimulatedHost) -> None:
    tasks.read_smart()
    inventory = cache.current()
    assert inventory is not None
    hour = timezone.now().astimezone(UTC).hour
    away = msgspec.structs.replace(ALWAYS, from_hour=(hour + 4) % 24, until_hour=(hour + 5) % 24)
    stored.keep_settings(away)
    tasks.run_self_tests()
    assert jobs() == []
    states = {one.serial: one.short for one in overview(inventory, timezone.now())}
    assert states[SERIAL].waits == "It begins when the hours for self-tests come."


def test_no_sleeping_disk_is_woken(simulated: SimulatedHost) -> None:
    tasks.read_smart()
    stored.keep_settings(ALWAYS)
    only(SERIAL)
    simulated.sleep(SERIAL)  # after the last reading, which says that it is awake
    tasks.run_self_tests()
    assert jobs() == [] and asleep(simulated)
    DiskRecord.objects.filter(serial=SERIAL).update(first_seen=timezone.now() - timedelta(days=31))
    tasks.run_self_tests()
    assert jobs() == [(SERIAL, "short", "schedule")]


def test_a_disk_says_when_and_why_not(simulated: SimulatedHost) -> None:
    tasks.read_smart()
    only(SERIAL, which="own", short_days=3)
    ended = timezone.now() - timedelta(days=1)
    DiskRecord.objects.filter(serial=SERIAL).update(tested={"short": ended.isoformat()})
    inventory = cache.current()
    assert inventory is not None
    seen = {one.serial: one for one in overview(inventory, timezone.now())}[SERIAL]
    assert (seen.has_self_tests, seen.short.every_days, seen.long.every_days) == (True, 3, None)
    assert seen.short.next is not None and seen.short.waits == "" and not seen.short.overdue
    coming = datetime.fromisoformat(seen.short.next)
    assert timedelta(days=1.7) < coming - timezone.now() < timedelta(days=1.8)


@pytest.mark.parametrize(
    ("test", "words"),
    [
        (SelfTest(kind="long", result="failed", words="Completed: read failure", at_hours=31000,
                  first_error_lba=1953525),
         "Long self-test failed: Completed: read failure; first error at sector 1953525, after 31000 hours"),
        (SelfTest(kind="short", result="passed", words="Completed"), "Short self-test passed: Completed"),
    ],
)  # fmt: skip
def test_the_story_names_the_first_error_and_the_hours(test: SelfTest, words: str) -> None:
    assert log.in_words(test) == words


@pytest.mark.django_db
def test_tests_before_anyone_watched_are_dated_by_power_on_hours() -> None:
    record = DiskRecord(
        key="x", model="WD", size_bytes=1, first_seen=timezone.now(), last_seen=timezone.now()
    )
    old = SelfTest(kind="long", result="passed", words="ok", at_hours=100)
    aborted = SelfTest(kind="short", result="aborted", words="no", at_hours=190)
    now = SmartReading(at="2026-11-25T12:00:00+00:00", power_on_hours=65_536 + 148, tests=(aborted, old))
    log.follow(record, None, now)
    assert record.tested == {"long": "2026-11-23T12:00:00+00:00"}  # the count of hours began again meanwhile
