"""The boot pair on its page."""

from __future__ import annotations

from django.test import Client

from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.frontend.test_key_pages import text

NEW = "4C530001999999999999"


def test_a_whole_pair_can_exchange_a_half_and_let_one_go(browser: Client) -> None:
    page = text(browser.get("/boot/"))
    assert "Either half may fail; the machine keeps running and can restart." in page
    assert page.count("Boot copy up to date") == 2
    assert page.count("Replace with") == 2
    assert page.count("Remove<span") == 2
    assert "Add as the second half" not in page


def test_a_missing_half_offers_the_new_stick_first(browser: Client, simulated: SimulatedHost) -> None:
    gone = browser.get("/boot/").context["boot"].halves[1].disk.id
    simulated.swap(gone, NEW)
    refresh()
    answer = browser.get("/boot/")
    page = text(answer)
    assert "The system has one copy." in page
    assert "Add as the second half" in page
    assert NEW in answer.context["boot"].candidates[0].id
    plan = browser.post("/boot/", {"do": "add", "disk": answer.context["boot"].candidates[0].id}, follow=True)
    shown = text(plan)
    assert "Add a half to the boot pair" in shown
    assert "nasweb-boot-copy" in shown


def test_a_poll_gets_nothing_while_nothing_changed(browser: Client) -> None:
    mark = browser.get("/boot/").context["mark"]
    same = browser.get(f"/boot/?seen={mark}", headers={"HX-Request": "true"})
    assert (same.status_code, same.content) == (204, b"")


def test_nothing_else_is_done_with_it(browser: Client) -> None:
    assert browser.post("/boot/", {"do": "destroy"}).status_code == 400


def test_the_overview_shows_both_halves_as_small_bays(browser: Client, simulated: SimulatedHost) -> None:
    page = text(browser.get("/"))
    assert page.count("Boot copy up to date") == 2
    simulated.pull(browser.get("/boot/").context["boot"].halves[1].disk.id)
    refresh()
    page = text(browser.get("/"))
    assert (page.count("Boot copy up to date"), page.count("Add the second half")) == (1, 1)
