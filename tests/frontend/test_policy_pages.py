"""Snapshot policies on pages: the list, the editor with its calendars, and the way to a plan."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.test import Client

from host.commands.datasets.zfs import ZfsCreate, ZfsSet
from host.simulated import SimulatedHost
from jobs.models import Job
from pools.models import PolicyRun
from pools.policies.rules.policy import PROPERTY
from pools.policies.tick import tick
from tests.conftest import refresh
from tests.frontend.conftest import decide, make_tank

FIELDS = {"hourly": "24", "daily": "7", "every": "15m", "at": "02:30", "on": "mon", "tz": "Europe/Berlin"}


def now() -> datetime:
    return datetime.now(UTC)


def test_a_page_without_policies_teaches_what_they_are(browser: Client) -> None:
    make_tank(browser)
    page = browser.get("/policies/").content.decode()
    assert "No snapshots are scheduled yet" in page
    assert 'href="/policies/tank/"' in page


def test_a_policy_is_set_by_form_and_plan_and_told_on_both_pages(
    browser: Client, simulated: SimulatedHost
) -> None:
    make_tank(browser)
    plan = browser.post("/policies/tank/", FIELDS | {"do": "set"})
    assert plan.context["plan"].title == "Set the snapshot policy of tank"
    decide(browser, plan)
    row = browser.get("/policies/").context["rows"][0]
    assert (row.dataset, row.keeps, row.whence) == ("tank", "24 hourly, 7 daily", "set here")
    assert row.text == "hourly=24 daily=7 at=02:30 tz=Europe/Berlin"
    assert row.state.word == "first one is due"
    tick(now(), simulated)
    row = browser.get("/policies/").context["rows"][0]
    assert row.state.word == "fresh"
    assert "24 hourly, 7 daily" in browser.get("/datasets/tank/").content.decode()


def test_the_editor_starts_from_a_preset(browser: Client) -> None:
    make_tank(browser)
    form = browser.get("/policies/tank/?preset=machines").context["form"]
    assert (form["frequent"], form["hourly"], form["every"]) == ("8", "24", "15m")


def test_the_calendar_is_drawn_for_what_is_typed(browser: Client) -> None:
    make_tank(browser)
    part = browser.post("/preview/policy/tank/", FIELDS).content.decode()
    assert len(re.findall(r"<svg ", part)) == 3
    assert "In a year: 31 snapshots: 7 daily, 24 hourly" in part
    assert part.count('class="coming"') == 1 + 2 * 31
    assert "<html" not in part


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [("daily", "many", "whole number"), ("tz", "Mars", "no such time zone"), ("at", "25:00", "time of day")],
)
def test_errors_stand_beside_their_field_and_what_was_typed_stays(
    browser: Client, field: str, value: str, said: str
) -> None:
    make_tank(browser)
    answer = browser.post("/policies/tank/", FIELDS | {field: value, "do": "set"})
    assert answer.status_code == 422
    assert said in answer.context["errors"].by_field[field][0]
    assert answer.context["form"][field] == value
    assert said in browser.post("/preview/policy/tank/", FIELDS | {field: value}).content.decode()


def test_excluded_and_unreadable_are_told(browser: Client, simulated: SimulatedHost) -> None:
    make_tank(browser)
    simulated.run(ZfsCreate(name="tank/a"))
    simulated.run(ZfsCreate(name="tank/b"))
    simulated.run(ZfsSet(name="tank/a", properties={PROPERTY: "off"}))
    simulated.run(ZfsSet(name="tank/b", properties={PROPERTY: "dialy=<b>3"}))
    refresh()
    page = browser.get("/policies/")
    assert [row.state.word for row in page.context["rows"]] == ["excluded", "unreadable"]
    assert "dialy=&lt;b&gt;3" in page.content.decode()
    assert "policy-unreadable" in browser.get("/doctor/").content.decode()
    plan = browser.post("/policies/tank/a/", {"do": "inherit"})
    assert plan.context["plan"].steps[0].commands == (("zfs", "inherit", PROPERTY, "tank/a"),)


def test_a_viewer_sees_and_cannot_change(viewer: Client, browser: Client) -> None:
    make_tank(browser)
    page = viewer.get("/policies/tank/").content.decode()
    assert "Your role only allows reading" in page
    assert viewer.post("/policies/tank/", FIELDS | {"do": "set"}).status_code == 403


def test_an_unknown_dataset_is_missing(browser: Client) -> None:
    for path in ("/policies/nothing/", "/policies/tank/x%00/"):
        assert browser.get(path).status_code == 404
    assert browser.post("/preview/policy/nothing/", FIELDS).status_code == 404


def test_what_waits_for_a_person_leads_to_its_plan(browser: Client, simulated: SimulatedHost) -> None:
    make_tank(browser)
    simulated.run(ZfsSet(name="tank", properties={PROPERTY: "daily=3"}))
    refresh()
    tick(now(), simulated)
    PolicyRun.objects.update(waiting={"tank": 29})
    page = browser.get("/policies/").content.decode()
    assert "29 of tank" in page
    assert "deleting-waits" in browser.get("/doctor/").content.decode()
    assert browser.post("/prune/", {"pool": "tank"}).status_code == 422  # nothing is to be deleted any more


def test_routine_jobs_are_folded_in_the_list(browser: Client, simulated: SimulatedHost) -> None:
    make_tank(browser)
    simulated.run(ZfsSet(name="tank", properties={PROPERTY: "daily=3"}))
    refresh()
    tick(now(), simulated)
    assert Job.objects.filter(operation="policy.run", state="succeeded").count() == 1
    listed = [row.title for row in browser.get("/jobs/").context["rows"]]
    assert "Scheduled snapshots of tank" not in listed
    assert browser.get("/jobs/?every=yes").context["rows"][0].title == "Scheduled snapshots of tank"
