"""Pages to read: what they show, to whom, and what a poll gets."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from alerts.evidence import Evidence
from alerts.incidents.recording import follow
from host.simulated import SimulatedHost
from jobs import broker, cache
from jobs.models import CachedInventory, Job
from tests.frontend import machines
from tests.frontend.conftest import decide, free_disks, make_tank, show

PAGES = ("/", "/alerts/", "/doctor/", "/disks/", "/pools/", "/create/pool/", "/datasets/", "/create/dataset/",
         "/jobs/", "/settings/", "/search/?q=a1")  # fmt: skip
POLL = {"HX-Request": "true"}


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens_for_a_viewer(viewer: Client, path: str) -> None:
    assert viewer.get(path).status_code == 200


@pytest.mark.parametrize("path", PAGES)
def test_every_page_asks_to_sign_in_first(db: None, path: str) -> None:
    answer = Client().get(path)
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=/")


@pytest.mark.parametrize("path", PAGES)
def test_every_page_opens_before_the_first_look_at_the_machine(browser: Client, path: str) -> None:
    CachedInventory.objects.all().delete()
    cache._newest = None
    answer = browser.get(path)
    assert answer.status_code == 200
    assert "has not been probed yet" in answer.content.decode()


def test_a_poll_after_signing_out_reloads_the_page(db: None) -> None:
    answer = Client().get("/?seen=x", headers=POLL)
    assert (answer.status_code, answer["HX-Refresh"]) == (200, "true")


def test_a_poll_gets_nothing_while_nothing_changed_and_the_live_part_when_it_did(browser: Client) -> None:
    mark = browser.get("/").context["mark"]
    assert browser.get("/", {"seen": mark}, headers=POLL).status_code == 204
    answer = browser.get("/", {"seen": "older"}, headers=POLL)
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert 'id="live"' in answer.content.decode()


def test_the_overview_shows_the_pool_in_its_bays(browser: Client) -> None:
    make_tank(browser)
    answer = browser.get("/")
    assert answer.context["verdict"].text == "tank is healthy"
    assert answer.content.decode().count("tank · raidz2-0") == 6


def test_the_overview_tells_trouble(browser: Client) -> None:
    show(machines.degraded())
    inventory = cache.current()
    assert inventory is not None
    follow(inventory, Evidence())
    answer = browser.get("/")
    assert answer.context["verdict"].text == "ata-WDC_WD30EFRX_WD-0003: a disk of tank is gone, and 1 more"
    assert "raidz2-0 survives 1 more failure." in answer.content.decode()
    assert "tank reports errors on this disk" in browser.get("/pools/tank/").content.decode()


def test_a_disk_page_opens_by_any_of_its_names(browser: Client) -> None:
    inventory = cache.current()
    assert inventory is not None
    for link in inventory.disks[0].links:
        assert browser.get(f"/disks/{link}/").context["disk"].id == inventory.disks[0].id


@pytest.mark.parametrize(
    "path",
    ["/disks/nothing/", "/pools/nothing/", "/pools/nothing/live/", "/datasets/no/thing/",
     "/snapshots/no/thing/", "/destroy/pool/nothing/", "/destroy/dataset/no/thing/", "/jobs/999/"],
)  # fmt: skip
def test_what_is_not_there_is_a_404_with_a_way_out(browser: Client, path: str) -> None:
    assert browser.get(path).status_code == 404


def test_the_pool_page_shows_the_tree_with_bays(browser: Client) -> None:
    make_tank(browser)
    rows = browser.get("/pools/tank/").context["rows"]
    assert [(row.title.split()[0], row.depth) for row in rows[:2]] == [("raidz2-0", 0), ("WDC", 1)]
    assert [row.bay for row in rows[1:]] == ["A1", "A2", "A3", "A4", "A5", "A6"]


def test_the_job_page_is_the_record_of_what_ran(browser: Client) -> None:
    job = browser.get(make_tank(browser)).context["job"]
    assert [(step.title, step.state.word) for step in job.steps] == [
        ("Prepare 6 disks", "done"), ("Create pool tank", "done"),
    ]  # fmt: skip
    assert job.steps[1].commands[0][:2] == ("zpool", "create")
    assert job.result.href == "/pools/tank/"


def test_a_failed_job_whose_plan_changed_can_be_planned_again(browser: Client) -> None:
    make_tank(browser)
    Job.objects.update(state="failed", error={"title": "The plan changed", "detail": "x", "plan": {}})
    page = browser.get("/jobs/1/" if Job.objects.filter(pk=1).exists() else f"/jobs/{Job.objects.get().pk}/")
    assert page.context["job"].again
    sent = {"operation": page.context["operation"], "request": page.context["request_json"]}
    assert browser.post("/plans/", sent).status_code == 422  # its disks are in a pool by now


@pytest.mark.parametrize("sent", [{}, {"operation": "pool.create"}, {"operation": "no.such", "request": "{}"},
                                  {"operation": "pool.create", "request": "[]"},
                                  {"operation": "pool.create", "request": "[" * 9999}])  # fmt: skip
def test_a_forged_plan_is_no_request(browser: Client, sent: dict[str, str]) -> None:
    assert browser.post("/plans/run/", sent).status_code == 400
    assert browser.post("/plans/", sent).status_code == 400


def test_settings_of_a_dataset_become_a_plan(browser: Client) -> None:
    make_tank(browser)
    plan = browser.post("/datasets/tank/", {"compression": "zstd"})
    assert plan.context["plan"].button == "Change 1 property"
    decide(browser, plan)
    inventory = cache.current()
    assert inventory is not None
    root = inventory.dataset("tank")
    assert root is not None
    assert root.value("compression") == "zstd"


def test_a_bad_setting_is_told_beside_its_field_and_stays_typed(browser: Client) -> None:
    make_tank(browser)
    answer = browser.post("/datasets/tank/", {"quota": "lots"})
    assert answer.status_code == 422
    assert list(answer.context["errors"].by_field) == ["quota"]
    assert ("quota", "lots") in [(setting.name, value) for setting, value in answer.context["settings"]]


def test_jobs_wait_while_the_queue_is_down(browser: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker, "alive", lambda: False)
    assert "Jobs are waiting: the queue does not answer" in browser.get("/").content.decode()


def test_what_is_old_says_how_old_it_is(browser: Client) -> None:
    CachedInventory.objects.update(as_of=datetime.now(UTC) - timedelta(minutes=7))
    page = browser.get("/").content.decode()
    assert "This page shows the state from" in page
    assert "7 min ago" in page


def test_a_viewer_reads_why_the_buttons_are_shut(viewer: Client) -> None:
    page = viewer.get("/create/pool/").content.decode()
    assert "Your role only allows reading." in page
    form = {"name": "tank", "layout": "raidz2:1", "data": free_disks()}
    assert viewer.post("/create/pool/", form).status_code == 403


def test_the_search_answers_a_part_for_the_box_and_a_page_without_script(browser: Client) -> None:
    part = browser.get("/search/", {"q": "a2"}, headers=POLL).content.decode()
    assert "<html" not in part
    assert "bay A2" in part
    assert "No results for “zzz”." in browser.get("/search/", {"q": "zzz"}).content.decode()


def test_looking_again_goes_back_to_the_page_and_nowhere_else(
    browser: Client, simulated: SimulatedHost
) -> None:
    assert browser.post("/refresh/", {"back": "/disks/"})["Location"] == "/disks/"
    assert browser.post("/refresh/", {"back": "https://evil.example/"})["Location"] == "/"
    assert browser.post("/refresh/", {"back": "//evil.example/"})["Location"] == "/"


def test_a_page_whose_subject_is_gone_is_loaded_again_by_its_poll(browser: Client) -> None:
    assert browser.get("/pools/tank/?seen=old", headers=POLL)["HX-Refresh"] == "true"
    assert browser.get("/pools/tank/").status_code == 404
