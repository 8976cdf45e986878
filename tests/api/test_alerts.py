"""Alerts and the doctor through the API."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from alerts import tasks
from alerts.api.shapes import AlertAnswer, DoctorAnswer
from alerts.models import Acknowledgement, Incident
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from tests.api.test_bad_input import NASTY
from tests.conftest import caller, refresh

ALERTS, DOCTOR = "/api/v1/alerts/", "/api/v1/doctor/"


@pytest.fixture(autouse=True)
def nothing_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks._Seen, "as_of", "")
    monkeypatch.setattr(tasks._Seen, "unsure", frozenset())


@pytest.fixture
def pulled(tank: dict[str, Any], simulated: SimulatedHost) -> dict[str, Any]:
    """The alert about the disk in A3, which was pulled."""
    inventory = cache.current()
    assert inventory is not None
    simulated.pull(next(disk.serial or "" for disk in inventory.disks if disk.bay == "A3"))
    refresh()
    tasks.watch()
    return {"id": Incident.objects.get().pk}


def test_there_is_no_alert_on_a_sound_machine(api: APIClient, tank: dict[str, Any]) -> None:
    tasks.watch()
    assert api.get(ALERTS).json() == {"results": [], "next": None}


def test_a_pulled_disk_is_an_alert_with_its_next_steps(api: APIClient, pulled: dict[str, Any]) -> None:
    (listed,) = api.get(ALERTS, {"open": "true"}).json()["results"]
    alert = api.get(f"{ALERTS}{pulled['id']}/").json()
    assert listed == alert
    msgspec.convert(alert, AlertAnswer)
    assert (alert["title"], alert["severity"], alert["pool"]) == (
        "Bay A3: a disk of tank is gone", "critical", "tank",
    )  # fmt: skip
    assert [disk["bay"] for disk in alert["disks"]] == ["A3"]
    assert alert["steps"][-1]["page"].startswith("/pools/tank/replace/?vdev=")


def test_an_alert_that_is_well_again_has_no_steps(
    api: APIClient, pulled: dict[str, Any], simulated: SimulatedHost
) -> None:
    inventory = cache.current()
    assert inventory is not None
    simulated.insert(inventory.gone[0].serial or "")
    refresh()
    tasks.watch()
    alert = api.get(f"{ALERTS}{pulled['id']}/").json()
    assert (alert["steps"], alert["closed_at"]) == ([], None)
    assert alert["calm_since"]


def test_an_alert_is_acknowledged_by_a_plan(api: APIClient, pulled: dict[str, Any]) -> None:
    address = f"{ALERTS}{pulled['id']}/acknowledge/"
    plan = api.post(f"{address}?dry_run=true", {"note": "ordered a disk"})
    assert (plan.status_code, plan.json()["claims"]) == (200, [f"alert:{pulled['id']}"])
    assert Incident.objects.get().acknowledged_at is None
    job = api.post(address, {"note": "ordered a disk"}).json()
    assert (job["operation"], job["state"]) == ("alert.acknowledge", "succeeded")
    known = api.get(f"{ALERTS}{pulled['id']}/").json()["acknowledged"]
    assert (known["by"], known["note"]) == ("admin", "ordered a disk")


@pytest.mark.parametrize("number", ["0", "999", str(10**30)])
def test_an_alert_that_is_not_there_is_404(api: APIClient, number: str) -> None:
    assert api.get(f"{ALERTS}{number}/").status_code == 404
    assert api.post(f"{ALERTS}{number}/acknowledge/", {}).status_code == 404


def test_the_doctor_answers_findings_with_fixes_and_what_is_well(
    api: APIClient, tank: dict[str, Any]
) -> None:
    answer = api.get(DOCTOR).json()
    msgspec.convert(answer, DoctorAnswer)
    assert [one["code"] for one in answer["results"]] == ["no-ecc", "no-copy", "no-notifications"]
    assert {"code": "pool-stands", "words": "No pool is suspended"} in answer["passed"]
    assert api.get(DOCTOR, {"limit": "0"}).status_code == 422


def finding(api: APIClient, code: str) -> dict[str, Any]:
    return next(one for one in api.get(DOCTOR).json()["results"] if one["code"] == code)


def test_the_copy_elsewhere_is_acknowledged_with_where_it_is(api: APIClient, tank: dict[str, Any]) -> None:
    address, subject = f"{DOCTOR}no-copy/acknowledge/", finding(api, "no-copy")["subject"]["id"]
    refused = api.post(address, {"subject": subject})
    assert [one["code"] for one in refused.json()["findings"]] == ["note-needed"]
    assert api.post(address, {"subject": subject, "note": "at my sister's"}).json()["state"] == "succeeded"
    answer = api.get(DOCTOR).json()
    assert [one["code"] for one in answer["results"]] == ["no-ecc", "no-notifications"]
    (known,) = answer["acknowledged"]
    assert known["acknowledged"]["note"] == "at my sister's"
    until = datetime.now(UTC).date() + timedelta(days=180)
    assert known["acknowledged"]["until"] == until.isoformat()
    assert api.delete(address, {"subject": subject}).json()["state"] == "succeeded"
    assert not Acknowledgement.objects.exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "subject"), ({"subject": ""}, "subject"), ({"subject": "nothing"}, "subject"),
        ({"subject": 7}, "subject"), ({"subject": "machine", "note": "\x00"}, "note"),
        ({"subject": "machine", "note": "x" * 1001}, "note"),
        ({"subject": "machine", "until": "soon"}, "until"),
        ({"subject": "machine", "until": "2001-01-01"}, "until"),
        ({"subject": "machine", "until": "9999-12-31"}, "until"),
        ({"subject": "machine", "for": "ever"}, "for"),
        ({"subject": "machine", "until": "2026-12-31", "for_good": True}, "for_good"),
    ],
)  # fmt: skip
def test_a_bad_acknowledgement_names_its_field(
    api: APIClient, tank: dict[str, Any], body: dict[str, Any], field: str
) -> None:
    jobs = Job.objects.count()
    answer = api.post(f"{DOCTOR}no-ecc/acknowledge/", body)
    assert answer.status_code == 422
    assert field in {one["field"] for one in answer.json()["findings"]}
    assert Job.objects.count() == jobs


@pytest.mark.parametrize("text", NASTY)
def test_nasty_words_do_nothing(api: APIClient, tank: dict[str, Any], text: str) -> None:
    answer = api.post(f"{DOCTOR}no-copy/acknowledge/", {"subject": text, "note": text, "until": text})
    assert answer.status_code == 422
    assert not Acknowledgement.objects.exists()


def test_a_code_that_no_finding_has_is_404(api: APIClient) -> None:
    assert api.post(f"{DOCTOR}no-such/acknowledge/", {"subject": "machine"}).status_code == 404
    assert api.delete(f"{DOCTOR}no-such/acknowledge/", {"subject": "machine"}).status_code == 404


def test_a_viewer_reads_and_acknowledges_nothing(tank: dict[str, Any], pulled: dict[str, Any]) -> None:
    viewer = caller(User.objects.create_user("vera", role=Role.VIEWER), "alerts:read", "alerts:write")
    assert viewer.get(ALERTS).status_code == 200
    assert viewer.get(DOCTOR).status_code == 200
    assert viewer.post(f"{ALERTS}{pulled['id']}/acknowledge/", {}).status_code == 403
    assert viewer.post(f"{DOCTOR}no-copy/acknowledge/", {"subject": "x"}).status_code == 403


def test_how_full_a_pool_is_is_taken_down_and_told(
    api: APIClient, tank: dict[str, Any], simulated: SimulatedHost
) -> None:
    tasks.measure()
    name = f"pool.used_bytes:{tank['guid']}"
    columns = api.get("/api/v1/metrics/series/", {"name": name}).json()
    assert len(columns[0]) == 1 and columns[1][0] > 0
