"""What mdadm's monitor reports becomes words, a fresh probe, and a part of the incident."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from alerts import array_reports, arrays_checked, tasks
from alerts.arrays_checked import CheckHistory, Glance, after_event, after_probe
from alerts.doctor.examine import examine
from alerts.evidence import ArrayCheck, Evidence
from alerts.models import ArrayCare, ArrayEvent, Incident
from alerts.tasks import read_md_events, watch
from host.inventory import ArrayWork, MdEvent
from host.simulated import SimulatedHost
from jobs import cache, engine
from tests import made
from tests.conftest import refresh
from tests.pools.arrays import UUID, array, machine, member

AT = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
BOOTED = AT - timedelta(days=3)
WHOLE = machine(array(member(1), member(2)))
LEFT = machine(array(member(1)))
CHECKING = ArrayWork(kind="check", percent=40.0, remaining_s=600.0)


@pytest.fixture(autouse=True)
def nothing_seen_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks._Seen, "as_of", "")
    monkeypatch.setattr(tasks._Seen, "said", "")
    monkeypatch.setattr(arrays_checked._Seen, "glances", {})


def event(name: str, number: int = 1, **more: object) -> MdEvent:
    values = {"at_ns": number, "event": name, "array": "md127", "uuid": UUID}
    return MdEvent(**(values | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "tone", "words"),
    [
        (event("Fail", device="/dev/sd21"), "bad",
         "Bay A2 (WDC WD30EFRX, serial WD-0002) failed: the array does not use it any more."),
        (event("FailSpare", device="/dev/sdz1"), "warn",
         "/dev/sdz1 failed, which was a spare or was being filled."),
        (event("Fail"), "bad", "A member failed: the array does not use it any more."),
        (event("RebuildFinished", mismatches=1), "warn",
         "A check or rebuild ended: 1 sector differed between the disks."),
        (event("Rebuild", percent=40), "busy", "A check or rebuild came to 40 %."),
        (event("MoveSpare", device="/dev/md9"), "idle", "A spare was moved here from /dev/md9."),
        (event("Nonsense"), "idle", "mdadm says: Nonsense."),
    ],
)  # fmt: skip
def test_events_in_words(one: MdEvent, tone: str, words: str) -> None:
    report = array_reports.in_words(one, WHOLE, LEFT)
    assert (report.name, report.uuid, report.tone, report.words) == ("backup", UUID, tone, words)


def test_the_kernel_says_what_mdadm_calls_a_rebuild() -> None:
    checked = machine(array(member(1), member(2), work=CHECKING))
    assert array_reports.in_words(event("RebuildStarted"), WHOLE, checked).words == "The check began."
    assert array_reports.in_words(event("RebuildFinished"), checked, WHOLE).words == "The check ended."
    after = machine(array(member(1), member(2), last_action="recover"))
    assert array_reports.in_words(event("RebuildFinished"), WHOLE, after).words == "The rebuild ended."


def test_an_array_that_is_gone_has_its_old_name() -> None:
    report = array_reports.in_words(event("DeviceDisappeared", uuid=""), WHOLE, machine())
    assert (report.name, report.uuid) == ("backup", UUID)
    assert array_reports.in_words(event("NewArray", uuid=""), machine(), machine()).name == "md127"
    linked = array_reports.in_words(event("DeviceDisappeared", uuid="", array="backup"), WHOLE, machine())
    assert (linked.name, linked.uuid) == ("backup", UUID)  # mdadm's path was a link, and that had gone too


@pytest.mark.django_db
def test_no_event_is_kept_twice_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_reports, "MOST_KEPT", 3)
    events = tuple(event("Fail", number) for number in range(1, 6))
    array_reports.keep(tuple(array_reports.in_words(one, WHOLE, LEFT) for one in events))
    assert [row.at_ns for row in ArrayEvent.objects.all()] == [5, 4, 3]
    assert [one.at_ns for one in array_reports.unknown(events[3:])] == []


def test_a_failure_is_probed_at_once_and_added_to_the_incident(
    simulated: SimulatedHost, api: APIClient
) -> None:
    refresh()
    watch()
    inventory = cache.current()
    assert inventory is not None
    root = inventory.arrays[0]
    stick = inventory.disk(root.members[1].disk or "")
    assert stick is not None
    read_md_events()
    simulated.fail(stick.id)
    read_md_events()
    after = cache.current()
    assert after is not None and after.arrays[0].degraded
    row = Incident.objects.get(kind="array-degraded", closed_at=None)
    assert any("failed: the array does not use it" in one["words"] for one in row.events)
    kept = ArrayEvent.objects.count()
    read_md_events()
    assert ArrayEvent.objects.count() == kept
    page = api.get(f"/api/v1/arrays/{root.name}/history/").json()
    assert {"event", "words", "at", "id"} == page["results"][0].keys()
    assert "Fail" in [one["event"] for one in page["results"]]
    assert page["check"]["checked_at"] is None and not page["check"]["overdue"]
    assert api.get("/api/v1/arrays/none/history/").status_code == 404


def test_what_is_reported_while_the_machine_cannot_be_probed_is_recorded_later(
    simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    refresh()
    read_md_events()
    inventory = cache.current()
    assert inventory is not None
    kept = ArrayEvent.objects.count()
    simulated.fail(inventory.arrays[0].members[1].disk or "")
    with monkeypatch.context() as blind:
        blind.setattr(engine, "refresh", lambda host: False)
        read_md_events()
    assert ArrayEvent.objects.count() == kept
    read_md_events()
    assert ArrayEvent.objects.count() > kept


def test_two_ticks_at_once_record_once(simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch) -> None:
    refresh()
    inventory = cache.current()
    assert inventory is not None
    simulated.fail(inventory.arrays[0].members[1].disk or "")
    asked = []
    real = engine.refresh

    def slow(host: Any) -> bool:
        asked.append(host)
        read_md_events()  # the next tick, while this one probes
        found: bool = real(host)
        return found

    monkeypatch.setattr(engine, "refresh", slow)
    read_md_events()
    assert len(asked) == 1
    (row,) = Incident.objects.filter(kind="array-degraded", closed_at=None)
    said = [one["words"] for one in row.events]
    assert len(said) == len(set(said))


def step(
    before: CheckHistory, work: ArrayWork | None = None, *, glance: Glance | None = None, **changes: object
) -> CheckHistory:
    found = array(member(1), member(2), work=work, **({"last_action": "check"} | changes))
    return after_probe(before, found, AT, booted=BOOTED, glance=glance)


def test_a_check_that_ended_is_remembered_with_its_number() -> None:
    running = step(CheckHistory(last_action="none"), CHECKING)
    assert running == CheckHistory(checking=True, last_action="check")
    ended = step(running, mismatches=8, glance=Glance(at=AT - timedelta(minutes=9), remaining_s=600.0))
    assert (ended.checked_at, ended.found, ended.checking) == (AT.isoformat(), 8, False)
    assert step(ended, mismatches=8) == ended


def test_a_check_that_nobody_saw_was_after_the_start() -> None:
    assert step(CheckHistory()).checked_at == BOOTED.isoformat()
    assert step(CheckHistory(), last_action="none").checked_at is None
    assert step(CheckHistory(last_action="none")).checked_at == AT.isoformat()


def test_a_check_in_parts_ends_with_its_last_part() -> None:
    stopped = step(CheckHistory(checking=True, last_action="check"), mismatches=8, stopped_at=4096)
    assert (stopped.checked_at, stopped.part, stopped.checking) == (None, 8, False)
    again = step(step(stopped, CHECKING), mismatches=16)
    assert (again.checked_at, again.found, again.part) == (AT.isoformat(), 24, 0)


def test_a_check_that_was_stopped_at_its_beginning_is_none() -> None:
    glance = Glance(at=AT - timedelta(seconds=15), remaining_s=9000.0)
    stopped = step(CheckHistory(checking=True, last_action="check"), glance=glance)
    assert stopped.checked_at is None
    # mdadm reports an end all the same, a little later.
    idle = array(member(1), member(2), last_action="check", mismatches=0)
    assert after_event(stopped, idle, AT + timedelta(seconds=2)) == stopped


def test_a_check_between_two_probes_is_reported_by_mdadm() -> None:
    old = CheckHistory(last_action="check", checked_at=BOOTED.isoformat(), found=0)
    done = array(member(1), member(2), last_action="check", mismatches=16)
    assert after_event(old, done, AT).found == 16
    known = CheckHistory(last_action="check", checked_at=AT.isoformat(), found=24)
    assert after_event(known, done, AT + timedelta(seconds=30)) == known
    late = msgspec.structs.replace(old, part=8)  # of a part before, which was stopped
    assert (after_event(late, done, AT).found, after_event(late, done, AT).part) == (24, 0)
    rebuilt = msgspec.structs.replace(done, last_action="recover")
    assert after_event(old, rebuilt, AT) == old


def found(check: ArrayCheck, work: ArrayWork | None = None) -> list[str]:
    inventory = machine(array(member(1), member(2), work=work))
    inventory = msgspec.structs.replace(inventory, as_of=AT.isoformat())
    findings = examine(inventory, Evidence(checks={UUID: check})).findings
    return [one.title for one in findings if one.code == "array-unchecked"]


def test_an_array_that_was_not_checked_for_long_is_reported() -> None:
    late = ArrayCheck(checked_at=None, found=None, since=AT.isoformat(), age_s=40 * 86400.0, overdue=True)
    assert found(late) == ["Array backup has not been checked for 40 days"]
    assert found(late, CHECKING) == []
    assert found(msgspec.structs.replace(late, overdue=False)) == []


@pytest.mark.django_db
def test_what_is_remembered_outlives_the_machines_start() -> None:
    inventory = msgspec.structs.replace(machine(array(member(1), member(2))), as_of=AT.isoformat())
    arrays_checked.keep(inventory)
    row = ArrayCare.objects.get()
    assert (row.uuid, row.first_at) == (UUID, AT)
    ArrayCare.objects.update(history={"checked_at": "2020-01-01T00:00:00+00:00", "found": 0})
    arrays_checked.keep(inventory)
    known = arrays_checked.of_array(UUID)
    assert known is not None and known.overdue and known.checked_at == "2020-01-01T00:00:00+00:00"
    assert arrays_checked.stored().keys() == {UUID}
    assert arrays_checked.of_array(made.disk(1).id) is None
