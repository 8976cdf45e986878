"""What the doctor says of copies of the settings."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import User
from host.commands.copies import KeepCopy
from host.simulated import SimulatedHost
from jobs import submission
from machine.backup.models import KeptOn
from machine.backup.tick import tick
from tests.machine.backup.bench import pool


def findings(api: APIClient) -> list[dict[str, Any]]:
    answer = api.get("/api/v1/doctor/?limit=1000").json()
    return [one for one in answer["results"] if one["code"] == "settings-not-copied"]


def test_copies_that_are_there_are_no_finding(api: APIClient) -> None:
    assert findings(api) == []
    pool(api)
    assert findings(api) == []
    tick(timezone.now())
    assert findings(api) == []


def test_copies_that_nobody_saw_for_long_are_one(api: APIClient) -> None:
    pool(api)
    tick(timezone.now())
    KeptOn.objects.update(checked_at=timezone.now() - timedelta(days=3))
    (finding,) = findings(api)
    assert finding["severity"] == "warning"
    assert finding["evidence"] == [{"name": "tank", "value": "3 days ago"}]


def test_a_copy_that_cannot_be_written_is_one(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    simulated.fail_next(KeepCopy, stderr="the pool has no space left\n", exit_status=3)
    tick(timezone.now())
    assert findings(api)[0]["evidence"] == [{"name": "tank", "value": "never"}]


def test_copies_that_were_switched_off_are_advice(api: APIClient, admin: User) -> None:
    pool(api)
    submission.submit("configuration.set-copies", {"enabled": False}, admin)
    assert findings(api)[0]["severity"] == "advice"
