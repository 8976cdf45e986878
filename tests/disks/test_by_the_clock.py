"""Scheduled work on disks of the simulated machine."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from disks import burning, lights, tasks
from disks.models import DiskRecord
from disks.records import all_records, burn_in_of, history_of, record_of
from disks.smart import readings
from frontend.bays.lights import lit_disks
from host.commands.disks.smart import SmartRead
from host.inventory import BurnIn, Disk
from host.probe.cache import ProbeCache
from host.simulated import SimulatedHost
from jobs import cache, series
from jobs.operation import the_host
from jobs.submission import submit
from jobs.tasks import collect
from tests.conftest import refresh, simulated_machine

SERIAL = "WD-WMC4N0D2J7PA"


@pytest.fixture(autouse=True)
def nothing_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks._Seen, "mark", "")
    monkeypatch.setattr(tasks._Seen, "probe_again", False)


@pytest.fixture
def shelf12(transactional_db: None, settings: Any, tmp_path: Any) -> SimulatedHost:
    return simulated_machine(settings, tmp_path, "shelf12")


def as_of() -> str:
    inventory = cache.current()
    assert inventory is not None
    return inventory.as_of


def test_a_tick_looks_at_the_machine_only_when_a_disk_came_or_went(simulated: SimulatedHost) -> None:
    tasks.watch()
    tasks.watch()
    before = as_of()
    tasks.watch()
    assert as_of() == before
    simulated.pull(SERIAL)
    tasks.watch()
    assert as_of() > before
    assert [absent.serial for absent in cache.current().gone] == [SERIAL]  # type: ignore[union-attr]
    simulated.insert(SERIAL)
    tasks.watch()
    assert cache.current().gone == ()  # type: ignore[union-attr]


def test_readings_reach_disks_records_and_series(simulated: SimulatedHost) -> None:
    simulated.age(SERIAL, pending=3)
    tasks.read_smart()
    inventory = cache.current()
    assert inventory is not None
    seen = next(one for one in inventory.disks if one.serial == SERIAL)
    assert seen.temperature_celsius is not None and seen.health == "warning"
    columns = series.read(f"disk.temperature:{SERIAL}", timezone.now() - timedelta(minutes=1), timezone.now())
    assert columns.values == (seen.temperature_celsius,)


def test_no_tick_wakes_a_disk(simulated: SimulatedHost) -> None:
    simulated.sleep(SERIAL)
    for tick in (tasks.watch, tasks.read_smart, tasks.follow, collect):
        tick()
    inventory = cache.current()
    assert inventory is not None
    seen = next(one for one in inventory.disks if one.serial == SERIAL)
    assert (seen.asleep, seen.temperature_celsius) == (True, None)
    assert simulated.ran() == []


def test_a_round_of_readings_is_not_joined_by_the_next(
    simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tasks._reading:
        monkeypatch.setattr(SimulatedHost, "run", lambda *_: pytest.fail("it was asked"))
        tasks.read_smart()


def test_a_disk_nobody_asked_is_read_soon_and_then_left_alone(
    simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.follow()
    asked = [record.asked_at for record in all_records()]
    assert None not in asked
    tasks.follow()
    assert [record.asked_at for record in all_records()] == asked


def test_a_slot_light_goes_off_when_its_time_is_over(shelf12: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    seen = next(one for one in inventory.disks if one.transport == "sas")
    path = inventory.enclosures[0].slots[0].path
    record = record_of(seen.id)
    assert record is not None
    past, future = timezone.now() - timedelta(seconds=1), timezone.now() + timedelta(seconds=60)
    DiskRecord.objects.filter(pk=record.pk).update(light_path=path, located_until=future)
    tasks.watch()
    assert shelf12.ran() == []
    DiskRecord.objects.filter(pk=record.pk).update(located_until=past)
    tasks.watch()
    assert [command[:2] for command in shelf12.ran()] == [["tee", f"{path}/locate"]]
    record.refresh_from_db()
    assert (record.light_path, record.located_until) == ("", None)


@pytest.mark.parametrize(
    ("host", "late", "kept"),
    [
        pytest.param("host9", timedelta(seconds=1), False, id="the enclosure is gone"),
        pytest.param("host0", timedelta(seconds=1), True, id="it does not answer for a moment"),
        pytest.param("host0", timedelta(hours=1, seconds=1), False, id="it does not answer for an hour"),
    ],
)
def test_a_slot_light_that_cannot_be_switched_is_given_up(
    shelf12: SimulatedHost, monkeypatch: pytest.MonkeyPatch, host: str, late: timedelta, kept: bool
) -> None:
    inventory = cache.current()
    assert inventory is not None
    path = inventory.enclosures[0].slots[0].path.replace("/host0", f"/{host}")
    due = timezone.now() - late
    record = all_records()[0]
    DiskRecord.objects.filter(pk=record.pk).update(light_path=path, located_until=due)
    monkeypatch.setattr(lights, "_run", lambda *_: False)
    for _ in range(2):
        tasks.watch()
    record.refresh_from_db()
    assert (record.light_path, record.located_until) == ((path, due) if kept else ("", None))


@pytest.fixture
def flash4(transactional_db: None, settings: Any, tmp_path: Any) -> SimulatedHost:
    return simulated_machine(settings, tmp_path, "flash4")


def _locate(seconds: int = 60) -> Disk:
    """Locate the first NVMe disk of the machine."""
    inventory = cache.current()
    assert inventory is not None
    seen = next(disk for disk in inventory.disks if disk.transport == "nvme")
    asked = {"disk": seen.id, "serial": seen.serial, "bay": seen.bay, "seconds": seconds}
    job = submit("disk.locate", asked, User.objects.create_user("op", role=Role.ADMIN))
    job.refresh_from_db()
    assert (job.state, job.error) == ("succeeded", None)
    return seen


def test_a_light_of_ledctl_is_known_to_be_on_and_goes_off_in_time(flash4: SimulatedHost) -> None:
    seen = _locate()
    inventory = cache.current()
    assert inventory is not None
    assert lit_disks(inventory) == {seen.id}
    found = inventory.disk(seen.id)
    assert found is not None and found.located_until is not None
    DiskRecord.objects.update(located_until=timezone.now() - timedelta(seconds=1))
    tasks.watch()
    on = ["ledctl", "--listed-only", f"locate={seen.link}"]
    off = ["ledctl", "--listed-only", f"locate_off={seen.link}"]
    assert flash4.ran() == [on, off]
    inventory = cache.current()
    assert inventory is not None and lit_disks(inventory) == frozenset()


def test_a_light_whose_disk_was_pulled_is_given_up(flash4: SimulatedHost) -> None:
    seen = _locate()
    flash4.pull(seen.serial or "")
    tasks.watch()
    DiskRecord.objects.filter(located_until__isnull=False).update(located_until=timezone.now())
    tasks.watch()
    assert len(flash4.ran()) == 1
    assert not DiskRecord.objects.exclude(light_path="").exists()


def test_lights_of_ledctl_are_off_at_the_start_too(
    flash4: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    with flash4._store.change() as state:
        state.leds[1].lit = True
        state.leds[2].lit = True
    monkeypatch.setattr("nasweb.host._memory", ProbeCache())
    refresh()
    monkeypatch.setattr(tasks, "send", lambda task: None)
    tasks.start()
    assert [led.lit for led in flash4.machine().leds] == [False] * 4


def test_at_the_start_of_the_worker_every_light_is_off(
    shelf12: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shelf12._store.change() as state:
        state.enclosures[0].slots[3].lit = True
        state.enclosures[0].slots[5].lit = True
    refresh()
    monkeypatch.setattr(tasks, "send", lambda task: None)
    tasks.start()
    refresh()
    inventory = cache.current()
    assert inventory is not None
    assert [slot.locating for one in inventory.enclosures for slot in one.slots] == [False] * 12


def test_a_burn_in_is_followed_to_its_verdict(simulated: SimulatedHost, api: APIClient) -> None:
    seen = next(one for one in api.get("/api/v1/disks/").json()["results"] if one["serial"] == SERIAL)
    address, body = f"/api/v1/disks/{seen['id']}/burn-in/", {"serial": SERIAL}
    digest = api.post(address, body).json()["plan"]["digest"]
    assert api.post(address, body | {"digest": digest}).json()["state"] == "succeeded"
    simulated.pass_time(40)
    tasks.follow()
    running = api.get(f"/api/v1/disks/{seen['id']}/").json()
    assert running["burn_in"]["phase"] == "write" and running["burn_in"]["verdict"] is None
    assert running["used_by"] is not None and running["in_use"] is True
    simulated.pass_time(3600)
    tasks.follow()
    record = record_of(SERIAL)
    assert record is not None
    report = burn_in_of(record)
    assert report is not None and (report.verdict, report.percent) == ("passed", 100)
    facts = [event.words for event in history_of(record) if event.kind == "burn-in"]
    assert facts == ["Burn-in passed", "Burn-in started"]
    tasks.follow()
    assert [event.words for event in history_of(record) if event.kind == "burn-in"] == facts


def test_a_burn_in_that_left_no_report_is_no_verdict_on_the_disk(simulated: SimulatedHost) -> None:
    inventory = cache.current()
    record = record_of(SERIAL)
    assert inventory is not None and record is not None
    begun = (datetime.fromisoformat(inventory.as_of) - timedelta(hours=1)).isoformat()
    lost = BurnIn(serial=SERIAL, phase="write", percent=3, started_at=begun, updated_at=begun)
    DiskRecord.objects.filter(pk=record.pk).update(burn_in=msgspec.to_builtins(lost))
    assert burning.follow(simulated, inventory)
    record.refresh_from_db()
    report = burn_in_of(record)
    assert report is not None
    assert (report.verdict, report.words) == ("stopped", "It ended without a report.")


def test_a_machine_that_does_not_answer_stops_no_tick(
    simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    from host.base import HostUnavailable

    def unavailable(*_: Any) -> None:
        raise HostUnavailable("nobody answers")

    monkeypatch.setattr(SimulatedHost, "run", unavailable)
    for tick in (tasks.watch, tasks.follow, collect, tasks.read_smart):
        tick()
    assert the_host().kind == "simulated" and SmartRead is not None


def test_a_round_of_readings_is_one_write(simulated: SimulatedHost) -> None:
    refresh()
    inventory = cache.current()
    assert inventory is not None
    with CaptureQueriesContext(connection) as asked:
        readings.read_all(simulated, inventory)
    said = [query["sql"].split()[0] for query in asked]
    assert (said.count("BEGIN"), said.count("UPDATE") > 5) == (1, True)
