"""The first-boot wizard on its pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from alerts.models import Channel
from host.simulated import SimulatedHost
from jobs.models import CachedInventory
from machine.first_boot import state
from machine.models import FirstBootRow
from tests.conftest import refresh
from tests.frontend.conftest import decide, make_tank
from tests.frontend.test_key_pages import text


def go(browser: Client) -> str:
    """Where the wizard goes on."""
    return str(browser.get("/welcome/")["Location"])


def states(browser: Client) -> dict[str, str]:
    lines = browser.get("/welcome/summary/").context["lines"]
    return {line.step: line.state.word for line in lines}


def test_it_goes_on_at_the_first_step_that_is_open_for_those_who_go_by_steps(browser: Client) -> None:
    assert go(browser) == "/welcome/start/"  # where all is set up at once
    page = browser.get("/welcome/name/")
    assert go(browser) == "/welcome/name/"
    assert "Set up everything on one page" in text(page)
    browser.get("/welcome/start/")
    assert go(browser) == "/welcome/start/"
    assert "Other machines find this one by its name" in text(page)
    assert 'action="/settings/machine/"' in page.content.decode()
    assert state.load().begun


def test_a_page_opened_before_the_first_look_gets_its_forms(
    browser: Client, simulated: SimulatedHost
) -> None:
    seen = CachedInventory.objects.get()
    seen.delete()
    page = browser.get("/welcome/name/")
    assert "Waiting for the first probe" in text(page)
    polled = f"/welcome/name/?seen={page.context['mark']}"
    assert polled in page.content.decode()
    assert browser.get(polled, headers={"HX-Request": "true"}).status_code == 204
    refresh()
    assert browser.get(polled, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"
    assert "hx-get" not in browser.get("/welcome/name/").content.decode().partition('id="live"')[2]


@pytest.mark.parametrize(
    "step", ["name", "account", "boot", "network", "bays", "pool", "share", "notifications", "summary"]
)
def test_every_step_has_a_page(browser: Client, step: str) -> None:
    page = browser.get(f"/welcome/{step}/")
    assert page.status_code == 200
    here = [line.step for line in page.context["lines"] if line.here]
    assert here == [step]


def test_there_are_no_other_steps(browser: Client) -> None:
    assert browser.get("/welcome/moon/").status_code == 404
    assert browser.post("/welcome/pool/", {"do": "explode"}).status_code == 400
    assert browser.post("/welcome/pool/", {"do": "settle"}).status_code == 400  # a pool is there or not


def test_a_step_is_put_off_and_taken_up_again(browser: Client) -> None:
    assert browser.post("/welcome/name/", {"do": "later"})["Location"] == "/welcome/network/"
    assert states(browser)["name"] == "later"
    assert "Do it now" in text(browser.get("/welcome/name/"))
    assert browser.post("/welcome/name/", {"do": "again"})["Location"] == "/welcome/name/"
    assert states(browser)["name"] == "to do"


def test_what_is_right_as_it_is_is_done(browser: Client) -> None:
    browser.post("/welcome/network/", {"do": "settle"})
    assert states(browser)["network"] == "done"


def test_a_job_leads_back_to_the_wizard(browser: Client) -> None:
    browser.get("/welcome/pool/")
    plan = browser.get("/create/pool/")
    assert "Back to setup" in text(plan) and 'href="/welcome/pool/"' in plan.content.decode()
    job = browser.get(make_tank(browser, name="tank")["Location"])  # by this very session
    assert "Continue setup" in text(job) and 'href="/welcome/"' in job.content.decode()
    assert states(browser)["pool"] == "done"


def test_whoever_goes_to_the_overview_is_not_led_back(browser: Client) -> None:
    browser.get("/welcome/pool/")
    browser.get("/")
    assert "Back to setup" not in text(browser.get("/disks/"))


@pytest.mark.parametrize("held", ["https://evil.example/", "//evil.example", "moon", ["pool"], 7, None])
def test_the_way_back_is_a_step_and_nothing_else(browser: Client, held: Any) -> None:
    session = browser.session
    session["welcome"] = held
    session.save()
    page = browser.get("/disks/?next=https://evil.example/")
    assert page.status_code == 200
    assert "evil" not in page.content.decode().replace("next=https%3A//evil", "").split("<main", 1)[1][:2000]
    assert "Back to setup" not in text(page)


def test_the_overview_tells_what_is_left_until_it_is_dismissed(browser: Client) -> None:
    page = browser.get("/")
    assert page.context["setting_up"] == "Finish setting up: 6 steps left."
    assert browser.post("/welcome/dismiss/")["Location"] == "/"
    assert browser.get("/").context["setting_up"] == ""
    browser.get("/welcome/")  # somebody wants it again
    assert browser.get("/").context["setting_up"] != ""


def test_a_machine_that_was_set_up_without_it_is_left_alone(browser: Client) -> None:
    make_tank(browser)
    FirstBootRow.objects.all().delete()
    assert browser.get("/").context["setting_up"] == ""


def test_finished_it_says_nothing_more(browser: Client) -> None:
    for step in ("name", "network", "bays", "pool", "notifications"):
        browser.post(f"/welcome/{step}/", {"do": "later"})
    assert go(browser) == "/welcome/summary/"
    assert "Setup is complete" in browser.get("/").context["setting_up"]
    assert browser.post("/welcome/summary/")["Location"] == "/"
    assert browser.get("/").context["setting_up"] == ""


def test_a_viewer_reads_and_decides_nothing(viewer: Client) -> None:
    assert viewer.get("/welcome/").status_code == 302
    assert not state.load().begun
    assert "Your role only allows reading" in text(viewer.get("/welcome/pool/"))
    assert viewer.post("/welcome/pool/", {"do": "later"}).status_code == 403
    assert viewer.post("/welcome/summary/").status_code == 403
    assert viewer.post("/welcome/dismiss/").status_code == 403
    assert viewer.get("/").context["setting_up"] == ""


def test_the_missing_half_is_offered_as_soon_as_it_is_plugged_in(
    browser: Client, simulated: SimulatedHost
) -> None:
    second = browser.get("/boot/").context["boot"].halves[1].disk
    simulated.pull(second.id)
    refresh()
    page = browser.get("/welcome/boot/")
    assert "Plug in a second flash drive" in text(page)
    mark = page.context["mark"]
    same = browser.get(f"/welcome/boot/?seen={mark}", headers={"HX-Request": "true"})
    assert same.status_code == 204
    simulated.insert(second.id)
    simulated.swap(second.id, "4C530001999999999999")
    refresh()
    new = browser.get(f"/welcome/boot/?seen={mark}", headers={"HX-Request": "true"})
    assert "Choose the second drive" in text(new)


def test_who_is_told_is_named(browser: Client) -> None:
    Channel.objects.create(name="Phone", kind="ntfy", created_at=timezone.now())
    assert "Phone" in text(browser.get("/welcome/notifications/"))
    assert states(browser)["notifications"] == "done"


def test_the_name_is_set_from_the_wizard(browser: Client) -> None:
    browser.get("/welcome/name/")
    plan = browser.post("/settings/machine/", {"name": "attic"})
    job = browser.get(decide(browser, plan)["Location"])
    assert "Continue setup" in text(job)
    assert "attic.local" in text(browser.get("/welcome/summary/"))


def test_the_summary_has_what_is_needed_when_the_console_is_out_of_reach(browser: Client) -> None:
    make_tank(browser)
    page = text(browser.get("/welcome/summary/"))
    sheet = browser.get("/welcome/summary/").context["sheet"]
    assert "https://nas.local" in page and "When a disk fails" in page
    assert [row.where for row in sheet.drives] == [f"Bay A{number}" for number in range(1, 7)]
    assert [row.does for row in sheet.boot] == ["Boot half 1", "Boot half 2"]
    for row in (*sheet.boot, *sheet.drives):
        assert row.serial in page


def test_an_old_machines_settings_can_be_brought_back(browser: Client) -> None:
    page = browser.get("/welcome/pool/")
    assert "Restore settings of an earlier Nasweb" in text(page)
    shown = page.content.decode()
    assert 'href="/import/"' in shown and 'href="/settings/copies/"' in shown
