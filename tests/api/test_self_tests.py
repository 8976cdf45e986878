"""When disks test themselves, by the API."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from disks import tasks
from disks.self_tests import stored
from disks.self_tests.settings import SelfTestSettings
from jobs import routine
from jobs.models import AuditEvent

HERE = "/api/v1/self-tests/"


def refused(answer: object) -> list[tuple[str, str]]:
    assert answer.status_code == 422  # type: ignore[attr-defined]
    return [(one["code"], one["field"]) for one in answer.json()["findings"]]  # type: ignore[attr-defined]


def test_settings_are_usual_until_somebody_changes_them(api: APIClient) -> None:
    tasks.read_smart()
    seen = api.get(HERE).json()
    assert seen["settings"]["short_days"] == 7 and seen["settings"]["at_once"] == 2
    tested = [one for one in seen["disks"] if one["has_self_tests"]]
    assert {one["short"]["every_days"] for one in tested} == {7} and len(tested) == 6
    wanted = {"weekdays": ["sun", "sat"], "long_days": 60, "long_longest_days": 120}
    assert "dry" not in api.put(f"{HERE}?dry_run=true", wanted).json()["summary"]
    assert stored.settings() == SelfTestSettings()
    assert api.put(HERE, wanted).json()["state"] == "succeeded"
    assert stored.settings() == SelfTestSettings(weekdays=("sat", "sun"), long_days=60, long_longest_days=120)


@pytest.mark.parametrize(
    ("sent", "code", "field"),
    [
        ({"weekdays": []}, "no-weekday", "weekdays"),
        ({"long_days": 120}, "longest-too-short", "long_longest_days"),
        ({"at_once": 0}, "invalid", "at_once"),
        ({"from_hour": 24}, "invalid", "from_hour"),
        ({"weekdays": ["someday"]}, "invalid", "weekdays[0]"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(
    api: APIClient, sent: dict[str, object], code: str, field: str
) -> None:
    assert refused(api.put(HERE, sent))[0] == (code, field)


def test_one_disk_has_intervals_of_its_own(api: APIClient, free_disks: list[str]) -> None:
    tasks.read_smart()
    here = f"/api/v1/disks/{free_disks[0]}/self-tests/"
    assert api.get(here).json()["schedule"]["which"] == "usual"
    assert refused(api.put(here, {"which": "own"})) == [("days-needed", "short_days")]
    assert refused(api.put(here, {"which": "off", "long_days": 3}))[0] == ("days-not-taken", "long_days")
    assert api.put(here, {"which": "own", "long_days": 14}).json()["state"] == "succeeded"
    seen = api.get(here).json()
    assert (seen["short"]["every_days"], seen["long"]["every_days"]) == (None, 14)
    assert api.get("/api/v1/disks/nothing/self-tests/").status_code == 404


def test_a_test_that_somebody_asked_for_is_in_the_audit_log_and_its_job_is_forgotten(
    api: APIClient, free_disks: list[str]
) -> None:
    answer = api.post(f"/api/v1/disks/{free_disks[0]}/smart-test/", {"kind": "short"})
    assert answer.json()["state"] == "succeeded"
    assert AuditEvent.objects.filter(action="disk.smart-test", actor="admin").exists()
    assert routine.forget(timezone.now() + timedelta(days=9)) == 1
    assert AuditEvent.objects.filter(action="disk.smart-test", actor="admin").exists()
