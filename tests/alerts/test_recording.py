"""Incidents over time: reported once, changed in place, closed after a calm, opened again and not anew."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import msgspec
import pytest
from celery.signals import worker_init
from django.db import OperationalError

from alerts import tasks
from alerts.incidents import recording
from alerts.incidents.recording import cause_of, events_of, follow, open_incidents
from alerts.models import Incident
from host.inventory import Inventory
from host.simulated import SimulatedHost
from jobs import cache, engine
from jobs.index import refreshing
from tests.alerts.cases import AT, disks, memory, raidz2
from tests.conftest import refresh

pytestmark = pytest.mark.django_db
MEMBERS = disks(8)
WELL = memory(MEMBERS)


def at(inventory: Inventory, seconds: float) -> Inventory:
    moment = datetime.fromisoformat(AT) + timedelta(seconds=seconds)
    return msgspec.structs.replace(inventory, as_of=moment.isoformat())


def probed(seconds: float, **trouble: Any) -> list[Incident]:
    gone = trouble.get("gone", ())
    follow(at(raidz2(MEMBERS, **trouble), seconds), memory(MEMBERS, gone=gone))
    return open_incidents()


def test_an_incident_is_reported_once_however_often_it_is_seen() -> None:
    probed(0, gone=[2])
    before = Incident.objects.get()
    for seconds in (3, 6, 900):
        probed(seconds, gone=[2])
    row = Incident.objects.get()
    assert (row.pk, row.updated_at) == (before.pk, before.updated_at)
    assert [event.words for event in events_of(row)] == ["Reported: Bay A3: a disk of tank is gone."]


def test_it_closes_only_after_a_calm_minute() -> None:
    probed(0, gone=[2])
    assert [row.calm_since is not None for row in probed(10)] == [True]
    assert len(probed(69)) == 1
    assert probed(70) == []
    row = Incident.objects.get()
    assert [event.words for event in events_of(row)][-1] == "Resolved."
    assert row.closed_at == datetime.fromisoformat(AT) + timedelta(seconds=70)


def test_a_clock_that_is_set_back_keeps_none_open_for_a_day() -> None:
    probed(0, gone=[2])
    probed(10)
    back = -86_400
    assert len(probed(back)) == 1
    assert len(probed(back + 59)) == 1
    assert probed(back + 60) == []


def test_there_is_nothing_to_do_as_soon_as_no_sign_of_it_is_left() -> None:
    (row,) = probed(0, gone=[2])
    assert cause_of(row).steps
    (row,) = probed(10)
    assert (cause_of(row).steps, cause_of(row).title) == ((), "Bay A3: a disk of tank is gone")
    (row,) = probed(20, gone=[2])
    assert cause_of(row).steps
    probed(30)
    probed(90)
    assert cause_of(Incident.objects.get()).steps == ()


def test_what_is_well_again_comes_behind_what_is_not() -> None:
    probed(0, gone=[2])
    rows = probed(10, leaves={4: {"checksum_errors": 2}})
    assert [(row.severity, row.calm_since is None) for row in rows] == [
        ("warning", True),
        ("critical", False),
    ]


def test_a_loose_disk_is_one_incident_that_comes_back() -> None:
    for round_ in range(4):
        probed(round_ * 300, gone=[2])
        probed(round_ * 300 + 10)
        probed(round_ * 300 + 80)
    row = Incident.objects.get()
    assert (row.times, row.closed_at is not None) == (4, True)
    assert "for the 4th time within a day; there may be a loose connection." in events_of(row)[-2].words


def test_a_disk_that_swings_within_the_minute_is_reported_once() -> None:
    probed(0, gone=[2])
    probed(10)
    probed(20, gone=[2])
    probed(30)
    row = Incident.objects.get()
    assert [event.words for event in events_of(row)] == ["Reported: Bay A3: a disk of tank is gone."]
    assert row.times == 2


def test_one_that_comes_back_after_a_day_is_a_new_one() -> None:
    probed(0, gone=[2])
    probed(10)
    probed(80)
    probed(2 * 86_400, gone=[2])
    assert Incident.objects.count() == 2


def test_a_disk_that_was_the_first_of_a_group_becomes_the_group() -> None:
    probed(0, gone=[4])
    probed(3, gone=[4, 5, 6])
    (row,) = Incident.objects.all()
    assert cause_of(row).kind == "controller-gone"
    assert events_of(row)[-1].words == "Now: 3 disks of tank disappeared at the same time."


def test_two_incidents_that_turn_out_to_be_one_are_joined() -> None:
    known = memory(MEMBERS, gone=[1, 4])
    apart = known.disks[MEMBERS[4].id]
    known.disks[MEMBERS[4].id] = msgspec.structs.replace(apart, gone_since="2026-11-21T11:00:00+00:00")
    follow(raidz2(MEMBERS, gone=[1, 4]), known)
    assert len(open_incidents()) == 2
    follow(at(raidz2(MEMBERS, gone=[1, 4, 6], state="SUSPENDED"), 5), known)
    (row,) = open_incidents()
    assert row.kind == "pool-suspended"
    joined = Incident.objects.exclude(closed_at=None).get()
    assert events_of(joined)[-1].words.startswith("It is part of: tank is suspended")


def test_what_is_unsure_is_reported_when_the_next_probe_finds_it_too() -> None:
    machine = raidz2(MEMBERS, gone=[2], leaves={2: {"state": "ONLINE", "disk": None}})
    unsure = follow(machine, memory(MEMBERS, gone=[2]))
    assert open_incidents() == []
    follow(at(machine, 3), memory(MEMBERS, gone=[2]), unsure)
    assert [row.title for row in open_incidents()] == ["Bay A3: a disk of tank is gone"]


def test_what_was_acknowledged_is_reported_again_when_it_becomes_worse() -> None:
    probed(0, leaves={1: {"checksum_errors": 2}})
    Incident.objects.update(acknowledged_at=datetime.fromisoformat(AT), acknowledged_by="ada")
    (row,) = probed(10, leaves={1: {"checksum_errors": 9}})
    assert row.acknowledged_by == "ada"
    (row,) = probed(20, leaves={1: {"state": "FAULTED", "read_errors": 40}})
    assert (row.acknowledged_at, row.severity) == (None, "critical")


def test_nor_has_who_read_of_a_disk_read_that_its_pool_stands_still() -> None:
    probed(0, gone=[1])
    Incident.objects.update(acknowledged_at=datetime.fromisoformat(AT), acknowledged_by="ada")
    follow(at(raidz2(MEMBERS, gone=[1, 4, 6], state="SUSPENDED"), 5), memory(MEMBERS, gone=[1, 4, 6]))
    (row,) = open_incidents()
    assert (row.kind, row.severity, row.acknowledged_by) == ("pool-suspended", "critical", "")


def test_what_was_acknowledged_before_an_upgrade_stays_so() -> None:
    (row,) = probed(0, gone=[1])
    del row.cause["impact"]
    row.acknowledged_at, row.acknowledged_by = datetime.fromisoformat(AT), "ada"
    row.save()
    (row,) = probed(10, gone=[1])
    assert (row.acknowledged_by, row.cause["impact"]) == ("ada", 1)


@pytest.fixture
def tank_of_six(
    simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch, six_disks: Any, api: Any
) -> SimulatedHost:
    monkeypatch.setattr(tasks._Seen, "as_of", "")
    monkeypatch.setattr(tasks._Seen, "unsure", frozenset())
    assert api.post("/api/v1/pools/", six_disks).json()["state"] == "succeeded"
    return simulated


def _serial_in(bay: str) -> str:
    inventory = cache.current()
    assert inventory is not None
    return next(disk.serial or "" for disk in inventory.disks if disk.bay == bay)


def test_a_pulled_disk_is_reported_with_its_bay_by_the_next_tick(tank_of_six: SimulatedHost) -> None:
    tasks.watch()
    assert open_incidents() == []
    victim = _serial_in("A3")
    tank_of_six.pull(victim)
    refresh()
    tasks.watch()
    (row,) = open_incidents()
    assert row.title == "Bay A3: a disk of tank is gone"
    assert f"serial {victim}" in cause_of(row).details[0]
    tank_of_six.insert(victim)
    refresh()
    tasks.watch()
    (row,) = open_incidents()
    assert row.calm_since is not None


@pytest.fixture
def worker() -> Iterator[None]:
    """As in the worker once it has begun."""
    tasks.follow_probes()
    yield
    assert cache.probed.disconnect(tasks.watch_probed)


@pytest.mark.usefixtures("worker")
def test_a_pulled_disk_is_reported_once_the_probe_ends(tank_of_six: SimulatedHost) -> None:
    """The clock's threads may all wait for the next probe by then."""
    assert engine.refresh(tank_of_six)
    assert open_incidents() == []
    tank_of_six.pull(_serial_in("A3"))
    assert engine.refresh(tank_of_six)
    (row,) = open_incidents()
    assert row.title == "Bay A3: a disk of tank is gone"


@pytest.mark.usefixtures("worker")
def test_no_alert_waits_for_snapshots_to_be_listed(
    tank_of_six: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles: list[str] = []
    monkeypatch.setattr(
        refreshing, "refresh", lambda *_: titles.extend(row.title for row in open_incidents())
    )
    tank_of_six.pull(_serial_in("A3"))
    assert engine.refresh(tank_of_six)
    assert titles == ["Bay A3: a disk of tank is gone"]


def test_the_worker_follows_probes_from_its_start_on() -> None:
    assert worker_init.disconnect(tasks.follow_probes)
    worker_init.connect(tasks.follow_probes)


@pytest.mark.usefixtures("worker")
def test_what_cannot_be_recorded_after_a_probe_is_tried_again(
    tank_of_six: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    follow, tried = recording.follow, []

    def fails_once(*args: Any) -> Any:
        tried.append(1)
        if len(tried) == 1:
            raise OperationalError("database is locked")
        return follow(*args)

    monkeypatch.setattr(recording, "follow", fails_once)
    assert engine.refresh(tank_of_six), "the inventory is a good one"
    tasks.watch()
    tasks.watch()
    assert len(tried) == 2


def test_a_tick_without_a_newer_probe_reads_nothing(
    tank_of_six: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.watch()
    monkeypatch.setattr(recording, "follow", lambda *_: pytest.fail("it was followed again"))
    tasks.watch()


def test_a_machine_that_cannot_be_probed_for_minutes_is_an_alert_until_it_can(
    tank_of_six: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks.watch()
    before = tasks._Seen.fresh
    monkeypatch.setattr(tasks, "monotonic", lambda: before + 299)
    tasks.watch()
    assert open_incidents() == []
    monkeypatch.setattr(tasks, "monotonic", lambda: before + 301)
    for _ in range(2):
        tasks.watch()
    (row,) = open_incidents()
    assert (row.kind, row.severity, row.times) == ("machine-unprobed", "critical", 1)
    assert row.cause["details"][0].endswith(f"since {row.cause['since'][:16].replace('T', ' ')} UTC.")
    refresh()
    tasks.watch()
    row.refresh_from_db()
    assert row.calm_since is not None


def test_what_a_job_touched_is_followed_and_confirms_nothing_that_was_seen_once(
    tank_of_six: SimulatedHost, api: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a job the rest of the inventory is as it was: to see that again is not to probe again."""
    seen_before: list[frozenset[str]] = []

    def follow_once(_inventory: object, _memory: object, unsure: frozenset[str]) -> frozenset[str]:
        seen_before.append(unsure)
        return frozenset({"something"})

    monkeypatch.setattr(recording, "follow", follow_once)
    refresh()
    tasks.watch()
    assert api.post("/api/v1/datasets/", {"name": "tank/media"}).json()["state"] == "succeeded"
    tasks.watch()
    refresh()
    tasks.watch()
    assert seen_before == [frozenset(), frozenset(), frozenset({"something"})]
