"""The time zone that was chosen holds at once: for new schedules and policies, and for what pages tell."""

from __future__ import annotations

import os
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from frontend import units
from host.simulated import SimulatedHost
from jobs import cache
from jobs.models import Job
from jobs.schedules.zone import usual_zone
from tests.conftest import refresh
from tests.frontend.conftest import make_tank

ZONE = "Europe/Berlin"


@pytest.fixture
def chosen(simulated: SimulatedHost, api: APIClient) -> None:
    """Somebody lives in Berlin from now on; no process starts again."""
    job = api.put("/api/v1/system/settings/time-zone/", {"time_zone": ZONE}).json()
    assert job["state"] == "succeeded", job
    refresh()


def test_a_new_schedule_and_a_new_policy_have_it(chosen: None, browser: Client, api: APIClient) -> None:
    make_tank(browser)
    assert usual_zone(cache.current()) == ZONE
    assert ZONE in browser.get("/pools/tank/schedule/scrub/").content.decode()
    assert ZONE in browser.get("/policies/tank/?preset=machines").content.decode()
    rows = api.get("/api/v1/scrub-schedules/").json()["results"]
    assert {row["time_zone"] for row in rows} == {ZONE}


def test_pages_tell_its_time(chosen: None, browser: Client) -> None:
    make_tank(browser)
    job = Job.objects.latest("pk")
    page = browser.get(f"/jobs/{job.pk}/").content.decode()
    assert (" CET" in page or " CEST" in page) and " UTC<" not in page
    assert timezone.get_current_timezone_name() == "UTC", "of this request alone"


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        ("2027-03-28T00:59:59", "2027-03-28 01:59:59 CET"),
        ("2027-03-28T01:00:00", "2027-03-28 03:00:00 CEST"),
        ("2026-10-25T00:30:00", "2026-10-25 02:30:00 CEST"),
        ("2026-10-25T01:30:00", "2026-10-25 02:30:00 CET"),
    ],
)
def test_an_hour_that_comes_twice_is_told_apart(moment: str, expected: str) -> None:
    with timezone.override(ZONE):
        assert units.stamp(datetime.fromisoformat(moment).replace(tzinfo=UTC)) == expected


def test_a_page_does_not_read_the_database_of_zones(
    chosen: None, browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its 600 files took more time than all else of a page."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a folder is walked")

    browser.get("/")
    monkeypatch.setattr(os, "walk", refuse)
    assert browser.get("/").status_code == 200
