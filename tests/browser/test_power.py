"""A restart in the browser: it is read, the page waits, and comes back once the machine has started again."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, expect

from host.commands.system.power import DELAY_S
from host.simulated import SimulatedHost
from host.simulated.system.power import START_S
from jobs import cache
from jobs.models import Job
from tests.browser.accessible import in_both_schemes
from tests.browser.conftest import Complaints
from tests.conftest import refresh

pytestmark = pytest.mark.browser
START = "**/power/start/"


def test_the_page_comes_back_with_the_machine(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    simulated.connect(person="ada", uid=30000, share="home", folder="/mnt/tank/home", files={"a.txt": "rw"})
    page = signed_in()
    page.goto("/")
    page.get_by_role("link", name="Restart or shut down").click()
    expect(page.get_by_text("ada at 10.0.2.2 (SMB)")).to_be_visible()
    found = in_both_schemes(page)
    page.get_by_role("button", name="Restart…").click()
    page.get_by_role("button", name="Restart the machine").click()
    words = page.get_by_text("The machine is restarting")
    with page.expect_response(START):
        expect(words).to_be_visible()
    with page.expect_response(START):
        pass  # the start that ends still answers, and is not taken for the next one
    expect(words).to_be_visible()
    found += in_both_schemes(page)
    simulated.pass_time(DELAY_S + START_S)
    refresh()
    expect(words).to_have_count(0)
    expect(page.get_by_role("heading", name="Restart the machine", level=1)).to_be_visible()
    assert not found, "\n".join(found)
    assert complaints == []


def test_a_machine_that_no_longer_answers_is_said_to_be_off(
    signed_in: Callable[..., Page], simulated: SimulatedHost
) -> None:
    page = signed_in(width=360, color_scheme="dark")
    page.goto("/power/")
    page.get_by_role("button", name="Shut down…").click()
    page.get_by_role("button", name="Shut down the machine").click()
    page.get_by_text("A real one would turn itself off now.").wait_for()
    found = cache.current()
    assert found is not None
    cache.keep(msgspec.structs.replace(found, facts=msgspec.structs.replace(found.facts, kind="local")))
    page.goto(f"/jobs/{Job.objects.latest('pk').pk}/")
    expect(page.get_by_text("The machine is shutting down")).to_be_visible()
    page.route(START, lambda route: route.abort())
    expect(page.get_by_text("The machine no longer answers")).to_be_visible(timeout=15_000)
    expect(page.get_by_text("The machine is shutting down")).to_be_hidden()
