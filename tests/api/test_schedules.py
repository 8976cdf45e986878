"""Schedules: there by themselves, changed, paused, deleted; what the tick does; the history of scrubs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from host.inventory import Inventory
from host.simulated import SimulatedHost
from jobs import broker, cache
from jobs.models import Job
from jobs.schedules.models import StoredSchedule
from jobs.schedules.overdue import days_without_scrub, overdue
from jobs.schedules.tick import tick
from nasweb.environment import machine_time_zone
from pools.models import ScanRecord
from tests.conftest import refresh

SCHEDULES = "/api/v1/scrub-schedules/"


def codes(answer: Any) -> set[tuple[str, str]]:
    assert answer.status_code == 422, answer.content
    return {(f["code"], f["field"]) for f in answer.json()["findings"] if f["level"] == "error"}


def done(answer: Any) -> None:
    assert answer.status_code == 202, answer.content
    assert answer.json()["state"] == "succeeded", answer.json()


def now() -> Inventory:
    inventory = cache.current()
    assert inventory is not None
    return inventory


@pytest.fixture
def scrub(api: APIClient, tank: dict[str, Any]) -> dict[str, Any]:
    """The schedule that tank has by itself."""
    (schedule,) = api.get(SCHEDULES).json()["results"]
    found: dict[str, Any] = schedule
    return found


def due(schedule_id: int, *, ago: timedelta = timedelta(seconds=30)) -> datetime:
    """Let a daily time of the schedule have come `ago`; answers the present."""
    moment = timezone.now()
    slot = moment - ago
    row = StoredSchedule.objects.get(pk=schedule_id)
    row.cron, row.time_zone = f"{slot.minute} {slot.hour} * * *", "UTC"
    row.handled, row.waiting = slot - timedelta(hours=1), None
    row.save()
    return moment


def test_every_pool_has_a_monthly_scrub_without_anybody_doing_anything(scrub: dict[str, Any]) -> None:
    assert (scrub["operation"], scrub["pool"], scrub["owner"]) == ("pool.scrub", "tank", None)
    assert (scrub["cron"], scrub["missed"], scrub["enabled"]) == ("0 2 1-7 * sun", "run", True)
    assert scrub["longest_age_days"] == 35
    coming = datetime.fromisoformat(scrub["next_run"])
    assert coming > timezone.now() and coming.weekday() in {5, 6}


def test_the_plan_of_a_pause_is_no_consent_to_the_opposite(api: APIClient, scrub: dict[str, Any]) -> None:
    address = f"{SCHEDULES}{scrub['id']}/"
    digest = api.patch(f"{address}?dry_run=true", {"enabled": False}).json()["digest"]
    answer = api.patch(address, {"enabled": True, "digest": digest})
    assert (answer.status_code, answer.json()["type"]) == (409, "/api/v1/problems/plan-stale")
    done(api.patch(address, {"enabled": False, "digest": digest}))


def test_a_schedule_is_changed_paused_and_goes_on(api: APIClient, scrub: dict[str, Any]) -> None:
    address = f"{SCHEDULES}{scrub['id']}/"
    body = {"cron": "30 4 1 * *", "time_zone": "Europe/Berlin", "missed": "skip", "longest_age_days": 60}
    done(api.patch(address, body))
    changed = api.get(address).json()
    assert {name: changed[name] for name in body} == body
    assert changed["owner"] == "admin"
    done(api.patch(address, {"enabled": False}))
    paused = api.get(f"/api/v1/schedules/{scrub['id']}/").json()
    assert (paused["enabled"], paused["next_run"], paused["cron"]) == (False, None, "30 4 1 * *")
    tick(due(scrub["id"]))
    assert not Job.objects.filter(operation="pool.scrub").exists()
    done(api.patch(address, {"enabled": True, "longest_age_days": None}))
    assert api.get(address).json()["longest_age_days"] is None


def test_a_deleted_default_stays_deleted_and_can_be_made_again(api: APIClient, scrub: dict[str, Any]) -> None:
    plan = api.delete(f"{SCHEDULES}{scrub['id']}/?dry_run=true").json()
    assert [finding["code"] for finding in plan["findings"]] == ["never-scrubbed"]
    done(api.delete(f"{SCHEDULES}{scrub['id']}/"))
    refresh()
    assert api.get(SCHEDULES).json()["results"] == []
    assert api.get(f"{SCHEDULES}{scrub['id']}/").status_code == 404
    done(api.post(SCHEDULES, {"pool": "tank", "cron": "0 1 * * mon"}))
    (made,) = api.get("/api/v1/schedules/").json()["results"]
    assert (made["cron"], made["owner"], made["request"]) == (
        "0 1 * * mon", "admin", {"name": "tank", "action": "start"},
    )  # fmt: skip
    assert codes(api.post(SCHEDULES, {"pool": "tank"})) == {("has-schedule", "kind")}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"pool": "nothing"}, {("unknown-pool", "pool")}),
        ({"pool": "tank", "kind": "trim"}, {("no-trim", "kind")}),
        ({"pool": "tank", "cron": "x", "time_zone": "Mars"},
         {("has-schedule", "kind"), ("bad-cron", "cron"), ("bad-time-zone", "time_zone")}),
        ({"pool": 5, "cron": "x" * 300, "missed": "later", "longest_age_days": 0},
         {("invalid", name) for name in ("pool", "cron", "missed", "longest_age_days")}),
        ({"colour": "red"}, {("unknown-field", "colour"), ("required", "pool")}),
    ],
)  # fmt: skip
def test_a_bad_schedule_is_told_with_all_its_fields(
    api: APIClient, scrub: dict[str, Any], body: Any, expected: Any
) -> None:
    assert codes(api.post(SCHEDULES, body)) == expected


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ({}, {""}),
        ({"cron": "61 2 * * *"}, {"cron"}),
        ({"cron": None, "time_zone": 1, "enabled": "yes", "longest_age_days": -1},
         {"cron", "time_zone", "enabled", "longest_age_days"}),
        ({"operation": "pool.destroy", "enabled": False}, {"operation"}),
        ({"id": 99}, {"id"}),
    ],
)  # fmt: skip
def test_a_bad_change_is_told_with_all_its_fields(
    api: APIClient, scrub: dict[str, Any], body: Any, fields: set[str]
) -> None:
    assert {field for _, field in codes(api.patch(f"{SCHEDULES}{scrub['id']}/", body))} == fields


@pytest.mark.parametrize("schedule_id", [0, 999, 2**60, 2**70])
def test_an_unknown_schedule_is_404(api: APIClient, schedule_id: int) -> None:
    for base in (SCHEDULES, "/api/v1/schedules/"):
        assert api.get(f"{base}{schedule_id}/").status_code == 404
        assert api.patch(f"{base}{schedule_id}/", {"enabled": False}).status_code == 404
        assert api.delete(f"{base}{schedule_id}/").status_code == 404


def test_the_next_times_are_shown_before_anything_is_kept(api: APIClient) -> None:
    answer = api.post("/api/v1/schedules/preview/", {"cron": "0 2 1 * *", "time_zone": "Europe/Berlin"})
    times = [datetime.fromisoformat(time) for time in answer.json()["next_runs"]]
    assert len(times) == 5 and times == sorted(times) and all(time.hour in {0, 1} for time in times)
    assert codes(api.post("/api/v1/schedules/preview/", {"cron": "never"})) == {("bad-cron", "cron")}


def test_what_is_due_is_run_once_as_an_ordinary_job(
    api: APIClient, scrub: dict[str, Any], simulated: SimulatedHost
) -> None:
    moment = due(scrub["id"])
    for second in range(0, 300, 60):
        tick(moment + timedelta(seconds=second))
    (job,) = Job.objects.filter(operation="pool.scrub")
    assert (job.state, job.submitted_by) == ("succeeded", "schedule")
    assert simulated.ran()[-1] == ["zpool", "scrub", "tank"]
    shown = api.get(f"{SCHEDULES}{scrub['id']}/").json()
    assert (shown["last_job"], shown["said"], shown["waiting_since"]) == (job.pk, "", None)


def test_a_machine_that_was_off_runs_it_once_or_skips_it(api: APIClient, scrub: dict[str, Any]) -> None:
    moment = due(scrub["id"], ago=timedelta(hours=5))
    StoredSchedule.objects.update(handled=moment - timedelta(days=9), missed="skip")
    tick(moment)
    assert not Job.objects.filter(operation="pool.scrub").exists()
    refresh()
    assert "was off" in api.get(f"{SCHEDULES}{scrub['id']}/").json()["said"]
    StoredSchedule.objects.update(handled=moment - timedelta(days=9), missed="run")
    tick(moment)
    tick(moment + timedelta(minutes=1))
    assert Job.objects.filter(operation="pool.scrub").count() == 1


def test_a_scrub_waits_for_a_resilver_and_comes_then(
    api: APIClient, scrub: dict[str, Any], simulated: SimulatedHost, free_disks: list[str]
) -> None:
    simulated.write("tank", 8 << 40)
    simulated.pull(free_disks[0])
    simulated.insert(free_disks[0])
    refresh()
    assert now().pools[0].scan.function == "RESILVER"  # type: ignore[union-attr]
    moment = due(scrub["id"])
    tick(moment)
    refresh()
    shown = api.get(f"{SCHEDULES}{scrub['id']}/").json()
    assert (shown["said"], shown["waiting_since"] is None) == ("Waits: tank is resilvering.", False)
    assert not Job.objects.filter(operation="pool.scrub").exists()
    simulated.pass_time(86_400)
    refresh()
    tick(moment + timedelta(hours=9))
    assert Job.objects.get(operation="pool.scrub").state == "succeeded"


def test_a_busy_pool_is_tried_again(
    api: APIClient, scrub: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(broker, "send", lambda task, *args: True)
        held = api.post("/api/v1/datasets/", {"name": "tank/media"}).json()
        moment = due(scrub["id"])
        tick(moment)
        row = StoredSchedule.objects.get()
        assert (row.said, row.waiting is None) == (f"Waits: Job {held['id']} holds the pool.", False)
        api.post(f"/api/v1/jobs/{held['id']}/abort/")
    tick(moment + timedelta(minutes=20))
    assert Job.objects.get(operation="pool.scrub").state == "succeeded"


def test_a_scrub_that_runs_already_is_enough(
    api: APIClient, scrub: dict[str, Any], simulated: SimulatedHost
) -> None:
    simulated.write("tank", 8 << 40)
    done(api.post("/api/v1/pools/tank/scrub/"))
    moment = due(scrub["id"])
    tick(moment)
    tick(moment + timedelta(minutes=1))
    assert Job.objects.filter(operation="pool.scrub").count() == 1
    assert StoredSchedule.objects.get().said == "tank is being scrubbed already."


def test_a_schedule_follows_its_pool_to_another_name(
    api: APIClient, scrub: dict[str, Any], tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    done(api.post("/api/v1/pools/tank/export/"))
    moment = due(scrub["id"])
    tick(moment)
    assert not Job.objects.filter(operation="pool.scrub").exists()
    api.post("/api/v1/pools/importable/")
    done(api.post("/api/v1/pools/import/", {"guid": tank["guid"], "new_name": "attic"}))
    assert [one["pool"] for one in api.get(SCHEDULES).json()["results"]] == ["attic"]
    tick(moment)
    assert simulated.ran()[-1] == ["zpool", "scrub", "attic"]


def test_a_broken_row_does_not_stop_the_others(api: APIClient, scrub: dict[str, Any]) -> None:
    moment = due(scrub["id"])
    good = StoredSchedule.objects.get()
    StoredSchedule.objects.create(
        subject=good.subject, operation="pool.nonsense", request={}, cron="not at all", time_zone="UTC",
        handled=good.handled,
    )  # fmt: skip
    tick(moment)
    assert Job.objects.filter(operation="pool.scrub").count() == 1


def test_scrubs_are_remembered_with_what_they_found(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost, free_disks: list[str]
) -> None:
    simulated.write("tank", 1 << 40)
    for corrupt, seconds in ((0, 86_400), (5 << 20, 43_200)):
        if corrupt:
            simulated.corrupt(free_disks[1], corrupt)
        done(api.post("/api/v1/pools/tank/scrub/"))
        simulated.pass_time(seconds)
        refresh()
        refresh()
    newest, oldest = api.get("/api/v1/pools/tank/scrubs/").json()["results"]
    assert (newest["function"], newest["complete"], newest["repaired_bytes"]) == ("scrub", True, 5 << 20)
    assert (oldest["repaired_bytes"], oldest["errors"], oldest["damaged_files"]) == (0, 0, [])
    assert newest["duration_seconds"] > 60
    assert now().pools[0].last_scrub == newest["finished"]
    assert api.get("/api/v1/pools/nothing/scrubs/").status_code == 404


def test_a_resilver_does_not_make_the_last_scrub_forgotten(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost, free_disks: list[str]
) -> None:
    done(api.post("/api/v1/pools/tank/scrub/"))
    refresh()
    scrubbed = now().pools[0].last_scrub
    assert scrubbed is not None
    simulated.pull(free_disks[0])
    simulated.insert(free_disks[0])
    refresh()
    assert now().pools[0].scan.function == "RESILVER"  # type: ignore[union-attr]
    assert now().pools[0].last_scrub == scrubbed
    assert set(ScanRecord.objects.values_list("function", flat=True)) >= {"SCRUB"}


def test_a_pool_is_overdue_after_its_longest_age(api: APIClient, scrub: dict[str, Any]) -> None:
    pool = now().pools[0]
    today = datetime.now(UTC)
    assert days_without_scrub(pool, now(), today) == 0
    assert overdue(pool, now(), today + timedelta(days=35, hours=1)) is None
    assert overdue(pool, now(), today + timedelta(days=36, hours=1)) == 36
    done(api.patch(f"{SCHEDULES}{scrub['id']}/", {"longest_age_days": 90}))
    assert overdue(pool, now(), today + timedelta(days=89)) is None
    done(api.delete(f"{SCHEDULES}{scrub['id']}/"))
    assert overdue(pool, now(), today + timedelta(days=40)) == 40


def test_the_time_zone_of_the_machine_is_the_first_guess(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NASWEB_TIME_ZONE", raising=False)
    link = tmp_path / "localtime"
    assert machine_time_zone(link) == "UTC"
    link.symlink_to("/usr/share/zoneinfo/Europe/Berlin")
    assert machine_time_zone(link) == "Europe/Berlin"
    monkeypatch.setenv("NASWEB_TIME_ZONE", "Asia/Tokyo")
    assert machine_time_zone(link) == "Asia/Tokyo"
