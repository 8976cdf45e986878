"""From a machine that nobody has claimed to a shared pool, by clicking through the first-boot wizard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from host.simulated import SimulatedHost
from jobs import cache
from nasweb.accounts import setup
from pools.boot.pair import boot_pair
from tests.browser.conftest import PASSWORD, Complaints
from tests.browser.test_every_page import violations
from tests.conftest import refresh

pytestmark = pytest.mark.browser
NEW_STICK = "4C530001999999999999"


class Walk:
    """A window, and what axe found on the pages that it came by."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.found: list[str] = []

    def look(self) -> None:
        """Let axe look at the page as it is now."""
        self.found += violations(self.page)

    def at(self, step: str) -> None:
        """The wizard is at this step, whose page is looked at."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(step)
        current = self.page.get_by_role("navigation", name="Setting up").locator("[aria-current=step]")
        expect(current).to_contain_text(step)
        self.look()

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button of the page itself."""
        self.page.get_by_role("main").get_by_role("button", name=name).click()

    def follow(self, name: str | re.Pattern[str]) -> None:
        """Follow a link of the page itself."""
        self.page.get_by_role("main").get_by_role("link", name=name).first.click()

    def plan(self, button: str | re.Pattern[str]) -> None:
        """From a form to its plan, to its job, and back to the wizard."""
        self.press("Show the plan")
        self.look()
        self.carry_out(button)

    def carry_out(self, button: str | re.Pattern[str]) -> None:
        """From a plan to its job, and back to the wizard."""
        self.press(button)
        self.follow("Go on setting up")


def claim(walk: Walk) -> None:
    page, code = walk.page, setup.issue_for_screen()
    page.goto("/")
    expect(page.get_by_role("heading", name="Make this machine yours")).to_be_visible()
    page.get_by_label("Code on the machine's screen").fill("AAAA-AAAA-AAAA")
    for label in ("Password", "Password again"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    page.get_by_label("User name").fill("ada")
    walk.press("Make the account")
    expect(page.get_by_text("That is not the code on the machine's screen now.")).to_be_visible()
    walk.look()
    page.get_by_label("Code on the machine's screen").fill(code.lower())
    for label in ("Password", "Password again"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    walk.press("Make the account")


def name_it(walk: Walk) -> None:
    walk.at("Name and time zone")
    walk.page.get_by_label("Name of the machine").fill("attic")
    walk.page.get_by_role("main").get_by_role("button", name="Show the plan").first.click()
    walk.carry_out(re.compile("attic"))
    walk.page.get_by_label("Time zone").select_option("Europe/Berlin")
    walk.page.get_by_role("main").get_by_role("button", name="Show the plan").last.click()
    walk.carry_out(re.compile("Berlin"))


def complete_the_pair(walk: Walk, simulated: SimulatedHost, gone: str) -> None:
    walk.at("Second flash drive")
    expect(walk.page.get_by_text("Plug in a second flash drive")).to_be_visible()
    simulated.insert(gone)
    simulated.swap(gone, NEW_STICK)
    refresh()
    walk.follow("Choose the second drive")  # it appears by itself
    expect(walk.page.get_by_label("Make this the second half")).to_have_value(re.compile(NEW_STICK))
    walk.plan(re.compile("half|pair"))


def set_the_network(walk: Walk) -> None:
    walk.at("Network")
    walk.follow("Set up eno1")
    walk.page.get_by_label("Search domains").fill("home.arpa")
    walk.press("Show the plan")
    walk.look()
    walk.press(re.compile("eno1"))
    walk.press("Keep this")
    walk.follow("Back to setting up")
    expect(walk.page.get_by_role("link", name="Next step")).to_be_visible()
    walk.follow("Next step")


def describe_the_case(walk: Walk) -> None:
    walk.at("Chassis and bays")
    walk.follow("Choose the case")
    walk.follow(re.compile("^Home tower"))
    walk.press("Set this chassis")
    walk.follow("Back to setting up")
    walk.at("Chassis and bays")
    walk.follow("Teach the bays")
    walk.press("Blink it")
    for bay in range(1, 7):
        expect(walk.page.get_by_text("It blinks now.")).to_be_visible()
        walk.page.get_by_role("button", name=f"Bay {bay}", exact=True).click()
        expect(walk.page.get_by_text(f"Bay {bay} is taught.")).to_be_visible()
    walk.follow("Back to setting up")
    expect(walk.page.get_by_text("of 6 of 6 disks")).to_be_visible()
    walk.follow("Next step")


def make_a_pool(walk: Walk) -> None:
    walk.at("First pool")
    walk.follow("Create a pool")
    walk.press("All free disks")
    walk.page.get_by_role("radio", name="raidz2 6 disks").check()
    walk.plan("Create tank")


def share_a_folder(walk: Walk) -> None:
    walk.at("First share")
    walk.follow("Add a person")
    walk.page.get_by_label("Name to sign in with").fill("anna")
    walk.page.get_by_label("Password", exact=True).fill("words of anna")
    walk.page.get_by_label("The same again").fill("words of anna")
    walk.plan("Create anna")
    walk.at("First share")
    walk.follow("Share a folder")
    walk.page.get_by_label("Name of the folder").fill("films")
    walk.page.get_by_role("radiogroup", name="anna").get_by_label("read and write").check()
    walk.plan("Create tank/films and share it as films")


def finish(walk: Walk) -> None:
    page = walk.page
    walk.at("Notifications")
    walk.press("Do it later")
    expect(page.get_by_role("heading", level=1)).to_have_text("Summary")
    sheet = page.get_by_role("region", name="To print")
    for words in ("https://attic.local", NEW_STICK, "When a disk fails", r"\\attic\films"):
        expect(sheet).to_contain_text(words)
    walk.look()
    walk.press("Finish setting up")
    expect(page.get_by_role("heading", name="tank is healthy")).to_be_visible()
    expect(page.get_by_role("region", name="Setting up")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_wizard_leads_from_the_code_to_a_shared_folder(
    visit: Callable[..., Page],
    simulated: SimulatedHost,
    complaints: Complaints,
    width: int,
    scheme: str,
) -> None:
    inventory = cache.current()
    pair = boot_pair(inventory) if inventory else None
    assert pair is not None
    gone = pair.halves[1].disk.id
    simulated.pull(gone)
    refresh()
    walk = Walk(visit(width=width, color_scheme=scheme, reduced_motion="reduce"))
    claim(walk)
    name_it(walk)
    complete_the_pair(walk, simulated, gone)
    set_the_network(walk)
    describe_the_case(walk)
    make_a_pool(walk)
    share_a_folder(walk)
    finish(walk)
    machine = simulated.machine()
    assert "[films]\n    path = /mnt/tank/films\n" in machine.samba
    assert not walk.found, "\n".join(walk.found)
    assert complaints == []


def test_the_wizard_goes_on_where_it_was_in_another_browser(
    signed_in: Callable[..., Page], simulated: SimulatedHost
) -> None:
    first = signed_in()
    first.goto("/welcome/")
    first.get_by_role("button", name="Do it later").click()
    expect(first.get_by_role("heading", level=1)).to_have_text("Network")
    first.close()
    second = signed_in()
    banner = second.get_by_role("region", name="Setting up")
    expect(banner).to_contain_text("5 steps left")
    banner.get_by_role("link", name="Go on").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("Network")
    second.goto("/")
    second.get_by_role("button", name="Do not show this again").click()
    expect(second.get_by_role("region", name="Setting up")).to_have_count(0)
