"""The first-boot wizard, clicked through: what the simulated machine and a real one have in common."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.accessible import ahead, violations
from tests.browser.conftest import PASSWORD


class Walk:
    """A window, and what `examine` found on the pages that it came by."""

    def __init__(self, page: Page, examine: Callable[[Page], list[str]] = violations) -> None:
        self.page = page
        self._examine = examine
        self.found: list[str] = []
        ahead(page)

    def check(self) -> None:
        """Let axe look at the page as it is now."""
        self.found += self._examine(self.page)

    def at(self, step: str) -> None:
        """The wizard is at this step, whose page is looked at."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(step)
        current = self.page.get_by_role("navigation", name="Setup").locator("[aria-current=step]")
        expect(current).to_contain_text(step)
        self.check()

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button of the page itself."""
        self.page.get_by_role("main").get_by_role("button", name=name).click()

    def follow(self, name: str | re.Pattern[str]) -> None:
        """Follow a link of the page itself."""
        self.page.get_by_role("main").get_by_role("link", name=name).first.click()

    def plan(self, button: str | re.Pattern[str]) -> None:
        """From a form to its plan, to its job, and back to the wizard."""
        self.check()
        self.press("Review changes")
        expect(self.page.get_by_text("Exactly what will run")).to_be_visible()
        self.check()
        self.carry_out(button)

    def carry_out(self, button: str | re.Pattern[str]) -> None:
        """From a plan to its job, and back to the wizard."""
        self.press(button)
        main = self.page.get_by_role("main")
        onward, fault = main.get_by_role("link", name="Continue setup"), main.get_by_role("alert")
        expect(onward.or_(fault).first).to_be_visible()
        assert onward.is_visible(), main.inner_text()
        self.check()
        onward.click()


def claim(walk: Walk, code: str) -> None:
    """Make the machine one's own, after a code that is wrong."""
    page = walk.page
    page.goto("/")
    expect(page.get_by_role("heading", name="Create admin account")).to_be_visible()
    walk.check()
    page.get_by_label("Code on the NAS's screen").fill("AAAA-AAAA-AAAA")
    for label in ("Password", "Confirm password"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    page.get_by_label("User name").fill("ada")
    walk.press("Create admin account")
    expect(page.get_by_text("That is not the code on the machine's screen now.")).to_be_visible()
    walk.check()
    page.get_by_label("Code on the NAS's screen").fill(code.lower())
    for label in ("Password", "Confirm password"):
        page.get_by_label(label, exact=True).fill(PASSWORD)
    walk.press("Create admin account")


def by_steps(walk: Walk) -> None:
    """From the page that sets up everything at once to the steps one by one."""
    expect(walk.page.get_by_role("heading", level=1)).to_have_text("Set up this NAS")
    walk.check()
    walk.follow("set up step by step")


def name_it(walk: Walk) -> None:
    """Call it attic, in Berlin."""
    walk.at("Name and time zone")
    walk.page.get_by_label("Machine name").fill("attic")
    walk.page.get_by_role("main").get_by_role("button", name="Review changes").first.click()
    walk.carry_out(re.compile("attic"))
    walk.page.get_by_label("Time zone").select_option("Europe/Berlin")
    walk.page.get_by_role("main").get_by_role("button", name="Review changes").last.click()
    walk.carry_out(re.compile("Berlin"))


def make_a_pool(walk: Walk, layout: str) -> None:
    """Create tank of all free disks, in a layout as the page names it."""
    walk.at("First pool")
    walk.follow("Create a pool")
    walk.press("All free disks")
    walk.page.get_by_role("radio", name=layout).check()
    walk.plan("Create tank")


def share_a_folder(walk: Walk) -> None:
    """Share tank/films with anna."""
    walk.at("First share")
    walk.follow("Add a person")
    walk.page.get_by_label("User name").fill("anna")
    walk.page.get_by_label("Password", exact=True).fill("words of anna")
    walk.page.get_by_label("Confirm password").fill("words of anna")
    walk.plan("Create anna")
    walk.at("First share")
    walk.follow("Share a folder")
    walk.page.get_by_label("Name of the folder").fill("films")
    walk.page.get_by_role("radiogroup", name="anna").get_by_label("read and write").check()
    walk.plan("Create tank/films and share it as films")


def finish(walk: Walk, stick: str) -> None:
    """Be told of nothing, and read the summary, which names the stick of that serial."""
    page = walk.page
    walk.at("Notifications")
    walk.press("Skip for now")
    expect(page.get_by_role("heading", level=1)).to_have_text("Summary")
    sheet = page.get_by_role("region", name="To print")
    for words in ("https://attic.local", stick, "When a disk fails", r"\\attic\films"):
        expect(sheet).to_contain_text(words)
    walk.check()
    walk.press("Finish setting up")
    expect(page).to_have_url(re.compile(r":[0-9]+/$"))  # the overview, whatever it has to tell
    expect(page.get_by_role("main").get_by_role("link", name="tank").first).to_be_visible()
    expect(page.get_by_role("region", name="Setup")).to_have_count(0)
    walk.check()
