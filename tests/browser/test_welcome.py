"""From a machine that nobody has claimed to a shared pool, by clicking through the first-boot wizard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts import setup
from host.boot_pair import boot_pair
from host.commands.naming import SetTimeZone
from host.simulated import SimulatedHost
from jobs import cache
from tests.browser.accessible import in_both_schemes
from tests.browser.conftest import Complaints
from tests.browser.walk import Walk, by_steps, claim, finish, make_a_pool, name_it, share_a_folder
from tests.conftest import refresh

pytestmark = pytest.mark.browser
NEW_STICK = "4C530001999999999999"


def complete_the_pair(walk: Walk, simulated: SimulatedHost, gone: str) -> None:
    walk.at("Second flash drive")
    expect(walk.page.get_by_text("Plug in a second flash drive")).to_be_visible()
    simulated.insert(gone)
    simulated.swap(gone, NEW_STICK)
    refresh()
    walk.follow("Choose the second drive")  # it appears by itself
    expect(walk.page.get_by_label("Add as the second half")).to_have_value(re.compile(NEW_STICK))
    walk.plan(re.compile("half|pair"))


def set_the_network(walk: Walk) -> None:
    walk.at("Network")
    walk.follow("Set up eno1")
    walk.page.get_by_label("Search domains").fill("home.arpa")
    walk.press("Review changes")
    walk.check()
    walk.press(re.compile("eno1"))
    walk.press("Keep this")
    walk.follow("Back to setup")
    expect(walk.page.get_by_role("link", name="Next step")).to_be_visible()
    walk.follow("Next step")


def describe_the_case(walk: Walk) -> None:
    walk.at("Chassis and bays")
    walk.follow("Choose the case")
    walk.follow(re.compile("^Home tower"))
    walk.press("Save chassis")
    walk.follow("Back to setup")
    walk.at("Chassis and bays")
    walk.follow("Map bays")
    walk.press("Blink it")
    for bay in range(1, 7):
        expect(walk.page.get_by_text("The light is blinking.")).to_be_visible()
        walk.page.get_by_role("button", name=f"Bay {bay}", exact=True).click()
        expect(walk.page.get_by_text(f"Bay {bay} is mapped.")).to_be_visible()
    walk.follow("Back to setup")
    expect(walk.page.get_by_text("6 of 6 disks")).to_be_visible()
    walk.follow("Next step")


def test_the_wizard_leads_from_the_code_to_a_shared_folder(
    visit: Callable[..., Page],
    simulated: SimulatedHost,
    complaints: Complaints,
) -> None:
    inventory = cache.current()
    pair = boot_pair(inventory) if inventory else None
    assert pair is not None
    gone = pair.halves[1].disk.id
    simulated.pull(gone)
    refresh()
    walk = Walk(visit(width=390, reduced_motion="reduce"), in_both_schemes)
    claim(walk, setup.issue_for_screen())
    by_steps(walk)
    name_it(walk)
    complete_the_pair(walk, simulated, gone)
    set_the_network(walk)
    describe_the_case(walk)
    make_a_pool(walk, "raidz2 6 disks")
    share_a_folder(walk)
    finish(walk, NEW_STICK)
    expect(walk.page.get_by_role("heading", name="tank is healthy")).to_be_visible()
    machine = simulated.machine()
    assert "[films]\n    path = /mnt/tank/films\n" in machine.samba
    assert not walk.found, "\n".join(walk.found)
    assert complaints == []


def test_the_wizard_goes_on_where_it_was_in_another_browser(
    signed_in: Callable[..., Page], simulated: SimulatedHost
) -> None:
    first = signed_in()
    first.goto("/welcome/name/")
    first.get_by_role("button", name="Skip for now").click()
    expect(first.get_by_role("heading", level=1)).to_have_text("Network")
    first.close()
    second = signed_in()
    second.goto("/")
    banner = second.get_by_role("region", name="Setup")
    expect(banner).to_contain_text("5 steps left")
    banner.get_by_role("link", name="Continue setup").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("Network")
    second.goto("/")
    second.get_by_role("button", name="Do not show this again").click()
    expect(second.get_by_role("region", name="Setup")).to_have_count(0)


def test_the_zone_of_the_browser_is_offered(signed_in: Callable[..., Page], complaints: Complaints) -> None:
    page = signed_in(width=360, timezone_id="America/New_York")
    page.goto("/welcome/name/")
    offer = page.get_by_role("button", name="Choose it")
    expect(page.get_by_text("Your browser is in America/New_York.")).to_be_visible()
    assert in_both_schemes(page) == []
    offer.click()
    expect(page.get_by_label("Time zone")).to_have_value("America/New_York")
    expect(page.get_by_label("Time zone")).to_be_focused()
    expect(offer).to_be_hidden()
    page.get_by_role("main").get_by_role("button", name="Review changes").last.click()
    expect(page.get_by_role("main")).to_contain_text("America/New_York")
    assert complaints == []


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
def test_no_zone_is_offered_that_is_set_already_or_tells_no_place(
    signed_in: Callable[..., Page], simulated: SimulatedHost, zone: str
) -> None:
    simulated.run(SetTimeZone(zone="Europe/Berlin"))
    refresh()
    page = signed_in(timezone_id=zone)
    page.goto("/welcome/name/")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    expect(page.get_by_text("Your browser is in")).to_be_hidden()
