"""What zed reports of pools becomes a fresh probe, one line of the incident, and at most two messages."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from alerts import tasks
from alerts.channels.models import Delivery
from alerts.channels.notifying import queue
from alerts.evidence import Evidence, ZedTrouble
from alerts.incidents import full, reported
from alerts.incidents.cause import Cause
from alerts.incidents.causes import causes
from alerts.models import Incident, ZfsEvent
from alerts.tasks import read_zed_events, watch
from alerts.zed import classes, reports, troubles
from host.inventory import Inventory, ZedEvent
from host.programs import zfs_event
from host.simulated import SimulatedHost
from host.simulated.pools import events
from host.simulated.state import Machine, Pool, Vdev
from host.simulated.vdevs import all_leaves
from host.zed import COLUMNS
from jobs import engine
from tests import made
from tests.alerts.cases import disks, memory, raidz2
from tests.alerts.channels.conftest import make_channel
from tests.conftest import refresh
from tests.frontend.conftest import signed_in

__all__ = ["make_channel"]
MEMBERS = disks(6)
ZEDLET = Path("ansible/roles/base/files/zed/all-nasweb")
# Every name in sys/fm/fs/zfs.h and sys/sysevent/eventdefs.h of OpenZFS 2.3 that is issued of pools.
OF_OPENZFS = {
    "checksum", "authentication", "io", "data", "delay", "deadman", "dio_verify_wr", "dio_verify_rd", "zpool",
    "vdev.unknown", "vdev.open_failed", "vdev.corrupt_data", "vdev.no_replicas", "vdev.bad_guid_sum",
    "vdev.too_small", "vdev.bad_label", "vdev.bad_ashift", "io_failure", "probe_failure", "log_replay",
    "config_cache_write", "removed", "autoreplace", "statechange", "snapshot_mount", "snapshot_unmount",
    "zvol_create", "zvol_remove", "resilver_start", "resilver_finish", "vdev_remove", "vdev_remove_aux",
    "vdev_remove_dev", "pool_create", "pool_destroy", "pool_import", "pool_export", "vdev_add", "vdev_attach",
    "vdev_clear", "vdev_check", "vdev_online", "config_sync", "scrub_start", "scrub_finish", "scrub_abort",
    "scrub_resume", "scrub_paused", "vdev_spare", "vdev_autoexpand", "bootfs_vdev_attach", "pool_reguid",
    "history_event", "trim_start", "trim_finish", "trim_cancel", "trim_resume", "trim_suspend",
    "errorscrub_start", "errorscrub_finish", "errorscrub_abort", "errorscrub_resume", "errorscrub_paused",
}  # fmt: skip


@pytest.fixture(autouse=True)
def nothing_seen_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks._Seen, "as_of", "")
    monkeypatch.setattr(tasks._Seen, "zed", "")
    monkeypatch.setattr(tasks._Seen, "unsure", frozenset())
    monkeypatch.setattr(tasks, "_COUNTED_EVERY_S", 0.0)


@pytest.fixture
def at_rest(tank: dict[str, Any], simulated: SimulatedHost) -> SimulatedHost:
    """A machine with the pool `tank`, of which everything was heard."""
    refresh()
    watch()
    read_zed_events()
    return simulated


def leaf_of(machine: Machine, place: int = 2) -> tuple[Pool, Vdev]:
    pool = machine.pools["tank"]
    return pool, list(all_leaves(pool))[place]


def checksums(simulated: SimulatedHost, times: int) -> None:
    with simulated.change() as machine:
        pool, leaf = leaf_of(machine)
        leaf.checksum_errors += times
        events.fault(machine, pool, "checksum", leaf, times=times, error=52)


def lines(kind: str) -> list[str]:
    return [one["words"] for one in Incident.objects.get(kind=kind).events]


def event(name: str, number: int = 1, **more: Any) -> ZedEvent:
    values: dict[str, Any] = {
        "boot": "b", "eid": number, "at_ns": 10**18, "last_at_ns": 10**18, "up_s": 1.0, "last_up_s": 1.0,
        "count": 1, "moments": 1, "event": name, "pool": "tank", "pool_guid": "1",
    }  # fmt: skip
    return ZedEvent(**(values | more))


def test_every_class_of_openzfs_has_words() -> None:
    assert classes.KNOWN == OF_OPENZFS
    (ignored,) = re.findall(r"^(.+)\) exit 0 ;;$", ZEDLET.read_text(), re.MULTILINE)
    assert set(ignored.split(" | ")) == classes.IGNORED


@pytest.mark.parametrize(
    ("one", "tone", "words"),
    [
        (event("resource.fs.zfs.statechange", state="FAULTED"), "bad",
         "it is faulted: ZFS does not use it any more"),
        (event("resource.fs.zfs.statechange", state="ODD"), "warn", "its state changed"),
        (event("ereport.fs.zfs.delay", longest_s=42.3), "warn",
         "a request to it took longer than 30 seconds (at most 42)"),
        (event("ereport.fs.zfs.vdev.bad_label"), "bad", "its label is that of another device"),
        (event("sysevent.fs.zfs.new_thing"), "idle", "ZFS reports “new_thing”"),
    ],
)  # fmt: skip
def test_events_in_words(one: ZedEvent, tone: str, words: str) -> None:
    assert classes.in_words(one) == (tone, words)


def test_a_thousand_checksum_errors_are_one_line_and_at_most_two_messages(
    at_rest: SimulatedHost, make_channel: Any, api: APIClient
) -> None:
    make_channel()
    checksums(at_rest, 400)
    read_zed_events()
    (incident,) = Incident.objects.filter(closed_at=None)
    assert (incident.kind, len(incident.events)) == ("disk-errors", 2)
    first = datetime.now(UTC)
    assert queue(first + timedelta(seconds=60)) == 1
    probes = tasks._Seen.as_of
    for _ in range(6):
        checksums(at_rest, 100)
        read_zed_events()
    assert tasks._Seen.as_of == probes  # counted on without a probe of its own
    said = lines("disk-errors")
    assert len(said) == 2
    assert said[0].startswith("Bay A3 (")
    assert said[0].endswith("data read from it did not match its checksum, 1000 times.")
    refresh()
    watch()
    assert "1000 checksum errors" in Incident.objects.get(pk=incident.pk).cause["details"][0]
    assert [queue(first + timedelta(minutes=minutes)) for minutes in (2, 59, 62, 63)] == [0, 0, 1, 0]
    last = Delivery.objects.first()
    assert last is not None and last.subject.startswith("[nas] More errors: Bay A3")
    assert "1000 checksum errors" in last.text
    checksums(at_rest, 1000)
    read_zed_events()
    assert [queue(first + timedelta(hours=hours)) for hours in (3, 30, 300)] == [0, 0, 0]
    assert Delivery.objects.count() == 2
    (row,) = ZfsEvent.objects.filter(event="ereport.fs.zfs.checksum")
    assert row.count == 2000
    page = api.get("/api/v1/pools/tank/events/").json()
    assert (page["results"][0]["event"], page["results"][0]["count"]) == ("ereport.fs.zfs.checksum", 2000)
    assert page["results"][0].keys() == {"id", "at", "last_at", "event", "vdev", "tone", "count", "words"}


def test_a_disk_that_is_pulled_is_one_incident_that_tells_it_in_order(
    simulated: SimulatedHost, api: APIClient, free_disks: list[str]
) -> None:
    vdevs = [
        {"role": "data", "layout": "raidz1", "disks": free_disks[:3]},
        {"role": "spare", "layout": "stripe", "disks": free_disks[3:4]},
    ]
    assert api.post("/api/v1/pools/", {"name": "tank", "vdevs": vdevs}).json()["state"] == "succeeded"
    refresh()
    watch()
    read_zed_events()
    simulated.pull(free_disks[1])
    read_zed_events()
    simulated.pass_time(3600)
    read_zed_events()
    assert Incident.objects.filter(closed_at=None).count() == 1
    told = [words.partition(": ")[2] for words in lines("disk-gone")]
    wanted = [
        "it left the machine.", "it is removed.", "this spare takes over for a disk.", "a resilver began.",
        "the resilver ended.",
    ]  # fmt: skip
    assert [words for words in told if words in wanted] == wanted
    with simulated.change() as machine:
        pool, leaf = leaf_of(machine, 0)
        leaf.checksum_errors += 1
        events.fault(machine, pool, "checksum", leaf)
    read_zed_events()
    assert not any("spare" in words for words in lines("disk-errors"))
    assert not any("checksum" in words for words in lines("disk-gone"))


def test_what_is_reported_while_the_machine_cannot_be_probed_is_recorded_later(
    at_rest: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = ZfsEvent.objects.count()
    checksums(at_rest, 1)
    with monkeypatch.context() as blind:
        blind.setattr(engine, "refresh", lambda host: False)
        read_zed_events()
    assert ZfsEvent.objects.count() == kept
    read_zed_events()
    read_zed_events()
    assert ZfsEvent.objects.count() == kept + 1


def test_a_worker_that_starts_anew_and_a_clock_that_is_set_repeat_nothing(
    at_rest: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    checksums(at_rest, 3)
    read_zed_events()
    before = (ZfsEvent.objects.count(), lines("disk-errors"))
    monkeypatch.setattr(tasks._Seen, "zed", "")
    read_zed_events()
    assert (ZfsEvent.objects.count(), lines("disk-errors")) == before
    for number, moved_s in enumerate((-86_400, 86_400)):
        with at_rest.change() as machine:
            pool, leaf = leaf_of(machine)
            last = dict(zip(COLUMNS, machine.zed[-1].split("\t"), strict=True))
            seconds = int(timezone.now().timestamp()) + moved_s
            said = {
                "ZEVENT_CLASS": last["event"], "ZEVENT_EID": str(900 + number),
                "ZEVENT_TIME_SECS": str(seconds), "ZEVENT_POOL_GUID": f"0x{pool.guid:X}",
                "ZEVENT_VDEV_GUID": f"0x{leaf.guid:X}", "ZEVENT_VDEV_STATE_STR": leaf.state,
            }  # fmt: skip
            found = zfs_event.read(said, boot=last["boot"], up_ms=int(last["last_up_ms"]) + 1000)
            assert found is not None
            machine.zed = zfs_event.counted(machine.zed, found)
        read_zed_events()
    assert ZfsEvent.objects.count() == before[0]
    assert [words.endswith(", 5 times.") for words in lines("disk-errors")] == [True, False]


def test_what_is_only_counted_on_is_written_down_after_a_while(
    at_rest: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    checksums(at_rest, 3)
    read_zed_events()
    monkeypatch.setattr(tasks, "_COUNTED_EVERY_S", 15.0)
    checksums(at_rest, 3)
    read_zed_events()
    row = ZfsEvent.objects.get(event="ereport.fs.zfs.checksum")
    assert row.count == 3
    with at_rest.change() as machine:
        events.fault(machine, leaf_of(machine)[0], "io_failure")  # something new is not kept waiting
    read_zed_events()
    row.refresh_from_db()
    assert (row.count, ZfsEvent.objects.first().event) == (6, "ereport.fs.zfs.io_failure")  # type: ignore[union-attr]


def test_what_was_read_a_moment_ago_costs_nothing(
    at_rest: SimulatedHost, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(1):  # which inventory there is
        read_zed_events()


def test_the_page_of_a_pool_shows_them(at_rest: SimulatedHost, admin: Any) -> None:
    browser = signed_in(admin)
    checksums(at_rest, 12)
    before = browser.get("/pools/tank/").content.decode()
    assert "did not match its checksum" not in before
    read_zed_events()
    page = browser.get("/pools/tank/").content.decode()
    assert "data read from it did not match its checksum, 12 times." in page
    assert page.index("did not match") < page.index("tank: the pool was created.")
    assert page.count("tank: the pool was created.") == 1


@pytest.mark.django_db
def test_the_oldest_events_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "MOST_KEPT", 3)
    here = raidz2(MEMBERS)
    found = tuple(event("ereport.fs.zfs.io", number) for number in range(1, 6))
    reports.keep(found, here, here, Evidence())
    assert list(ZfsEvent.objects.values_list("key", flat=True)) == [one.id for one in reversed(found[2:])]
    assert reports.news(found) == found[:2]


def test_a_disk_that_wakes_up_is_no_incident_and_one_that_lets_requests_wait_is(
    at_rest: SimulatedHost,
) -> None:
    def wait(times: int) -> None:
        with at_rest.change() as machine:
            pool, leaf = leaf_of(machine)
            events.fault(machine, pool, "delay", leaf, times=times, took_s=31.0 + times)
        read_zed_events()

    wait(20)
    assert not Incident.objects.exists()
    for _ in range(4):
        at_rest.pass_time(60)
        wait(2)
    refresh()
    watch()
    (incident,) = Incident.objects.filter(closed_at=None)
    assert (incident.kind, incident.severity) == ("disk-delays", "warning")
    assert "28 requests took longer than 30 seconds, the longest 51 s, at 5 " in incident.cause["details"][0]
    assert incident.cause["steps"][0]["words"] == "Light up bay A3."
    assert lines("disk-delays")[0].endswith("longer than 30 seconds (at most 51), 28 times.")
    now = timezone.now()
    assert [one.count for one in troubles.care(now)] == [28]
    # Over after an hour, and by a clock that was set forward or back.
    assert [troubles.care(now + timedelta(hours=hours)) for hours in (2, 24, -24)] == [(), (), ()]


def found_of(*told: ZedTrouble, inventory: Inventory | None = None) -> list[Cause]:
    here = inventory or raidz2(MEMBERS)
    return list(causes(here, memory(MEMBERS, zed=told)))


def trouble(name: str, **changes: Any) -> ZedTrouble:
    tank = raidz2(MEMBERS).pools[0]
    values: dict[str, Any] = {"name": name, "pool_guid": tank.guid, "vdev_guid": "", "count": 1, "moments": 1,
                              "since": "2026-11-21T12:00:00+00:00"}  # fmt: skip
    return ZedTrouble(**(values | changes))


@pytest.mark.parametrize(
    ("name", "kind", "severity"),
    [
        ("authentication", "authentication-failed", "critical"),
        ("data", "data-unread", "critical"),
        ("log_replay", "log-lost", "warning"),
        ("config_cache_write", "cache-unwritten", "warning"),
        ("dio_verify_wr", "direct-io", "warning"),
        ("dio_verify_rd", "direct-io", "warning"),
    ],
)
def test_what_no_probe_shows_is_an_incident_of_its_own(name: str, kind: str, severity: str) -> None:
    (cause,) = found_of(trouble(name), trouble(name, vdev_guid="77"))
    assert (cause.kind, cause.severity, cause.pool) == (kind, severity, "tank")
    assert cause.steps and cause.details
    assert found_of(trouble(name, pool_guid="8")) == []  # of a pool that is not here


def test_a_hung_request_is_critical_and_covers_slow_ones() -> None:
    leaf = raidz2(MEMBERS).pools[0].vdevs[0].children[1].guid
    many = trouble("delay", vdev_guid=leaf, moments=9)
    (cause,) = found_of(many, trouble("deadman", vdev_guid=leaf))
    assert (cause.kind, cause.severity) == ("disk-hung", "critical")
    assert cause.title == "Bay A2: a request has not come back for minutes"
    (late,) = found_of(many)
    assert late.kind == "disk-delays"
    assert found_of(msgspec.structs.replace(many, moments=4)) == []
    # A disk that fails anyway is told by what ZFS counts on it.
    faulted = raidz2(MEMBERS, leaves={1: {"state": "FAULTED"}})
    assert [one.kind for one in found_of(many, inventory=faulted)] == ["disk-faulted"]


def test_files_that_a_probe_names_are_told_in_the_place_of_what_zed_reports() -> None:
    damaged = raidz2(MEMBERS, data_errors=1, damaged_files=("/tank/a",))
    assert [one.kind for one in found_of(trouble("data"), inventory=damaged)] == ["data-damaged"]


def test_every_class_with_a_calm_time_has_its_incident() -> None:
    assert set(reported.CALM) == {*reported._OF_POOL, "delay", "deadman"}


@pytest.mark.parametrize(
    ("used", "open_already", "wanted"),
    [
        (899, False, []), (900, False, [("warning", "tank is 90 % full")]),
        (880, True, [("warning", "tank is 88 % full")]), (879, True, []),
        (950, False, [("critical", "tank is 95 % full")]), (1000, False, [("critical", "tank is full")]),
    ],
)  # fmt: skip
def test_a_pool_that_is_nearly_full_is_an_incident(
    used: int, open_already: bool, wanted: list[tuple[str, str]]
) -> None:
    top = made.dataset("tank", used=str(used << 30), available=str((1000 - used) << 30))
    here = msgspec.structs.replace(raidz2(MEMBERS), datasets=(top,))
    guids = frozenset({here.pools[0].guid} if open_already else ())
    found = list(full.causes(here, Evidence(nearly_full=guids)))
    assert [(one.severity, one.title) for one in found] == wanted
    assert list(full.causes(raidz2(MEMBERS), Evidence())) == []
