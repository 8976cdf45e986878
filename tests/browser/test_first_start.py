"""From the claim to a folder that another computer opens, with pages and clicks counted."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from accounts import setup
from host.simulated import SimulatedHost
from jobs import cache
from tests.browser.accessible import in_both_schemes, violations
from tests.browser.conftest import PASSWORD, Complaints
from tests.conftest import refresh

pytestmark = pytest.mark.browser
MOST_PAGES, MOST_CLICKS = 10, 12


class Counted:
    """A window that counts the pages it came by and the clicks it took, and what `examine` found there."""

    def __init__(self, page: Page, examine: Callable[[Page], list[str]]) -> None:
        self.page = page
        self.examine = examine
        self.pages: list[str] = []
        self.clicks = 0
        self.found: list[str] = []
        page.on("framenavigated", lambda frame: self.pages.append(frame.url))

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button of the page, after axe has looked at that."""
        self._click(self.page.get_by_role("main").get_by_role("button", name=name).last)

    def follow(self, name: str) -> None:
        """Follow a link of the page."""
        self._click(self.page.get_by_role("main").get_by_role("link", name=name).first)

    def _click(self, control: Locator) -> None:
        control.wait_for()
        self.found += self.examine(self.page)
        self.clicks += 1
        control.click()


@pytest.mark.parametrize(("width", "examine"), [(1440, violations), (360, in_both_schemes)])
def test_a_new_machine_shares_a_folder_within_ten_pages_and_twelve_clicks(
    visit: Callable[..., Page],
    simulated: SimulatedHost,
    complaints: Complaints,
    width: int,
    examine: Callable[[Page], list[str]],
) -> None:
    page = visit(width=width, reduced_motion="reduce", timezone_id="Europe/Berlin")
    walk = Counted(page, examine)
    page.goto("/")
    page.get_by_label("Code on the").fill(setup.issue_for_screen())
    page.get_by_label("User name").fill("ada")
    for field in page.locator("input[type=password]").all():
        field.fill(PASSWORD)
    walk.press(re.compile("account"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up this NAS")
    expect(page.get_by_label("Time zone", exact=True)).to_have_value("Europe/Berlin")
    expect(page.get_by_text("6 equal disks: RAID-Z2, any two may fail, 10.8 TiB usable.")).to_be_visible()
    expect(page.get_by_label("User", exact=True)).to_have_value("ada")
    page.get_by_label("Name of the NAS").fill("attic")
    for field in page.locator("input[type=password]").all():
        field.fill("words of ada")
    walk.press("Review changes")
    summary = page.get_by_role("region", name="Summary")
    expect(summary).to_contain_text("The NAS is called attic and is set to the time zone Europe/Berlin.")
    walk.press("Set up this NAS")
    walk.follow("Connect to Files")
    connect = page.get_by_role("region", name="How to connect")
    for words in (r"\\ATTIC\Files", "smb://attic.local/Files"):
        expect(connect).to_contain_text(words)
    walk.found += examine(page)
    assert len(walk.pages) <= MOST_PAGES, walk.pages
    assert walk.clicks <= MOST_CLICKS
    page.goto("/")
    left = page.get_by_role("region", name="Setup")
    expect(left).to_contain_text("Finish setting up: 3 steps left.")
    assert "[Files]\n    path = /mnt/tank/Files\n" in simulated.machine().samba
    assert not walk.found, "\n".join(walk.found)
    assert complaints == []


def test_layouts_follow_the_disks_and_what_they_hold_is_named(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    inventory = cache.current()
    assert inventory is not None
    disk = next(disk for disk in inventory.disks if disk.free)
    held = disk.id
    simulated.occupy(held, "unmounted-ntfs")
    refresh()
    page = signed_in(reduced_motion="reduce")
    page.goto("/welcome/start/")
    expect(page.get_by_text("5 equal disks: RAID-Z2")).to_be_visible()
    page.get_by_text("Choose the disks").click()
    first = page.get_by_role("checkbox", name=re.compile(disk.serial or held))
    expect(first).not_to_be_checked()
    first.check()
    expect(page.get_by_text("6 equal disks: RAID-Z2")).to_be_visible()
    expect(page.get_by_text("1 disk will be erased")).to_be_visible()
    page.get_by_text("Choose another layout").click()
    page.get_by_role("radio", name=re.compile("^RAID-Z1")).check()
    expect(page.get_by_text("6 equal disks: RAID-Z1, any one may fail")).to_be_visible()
    assert violations(page) == []
    assert complaints == []


def test_what_is_left_for_later_is_hidden_and_not_asked_for(
    signed_in: Callable[..., Page], complaints: Complaints
) -> None:
    page = signed_in(width=360, reduced_motion="reduce")
    page.goto("/welcome/start/")
    page.get_by_role("checkbox", name="Later: create no pool now").check()
    page.get_by_role("checkbox", name="Later: share no folder now").check()
    expect(page.get_by_label("Name of the pool")).to_be_hidden()
    expect(page.get_by_label("Name of the folder")).to_be_hidden()
    page.get_by_label("Name of the NAS").fill("attic")
    page.get_by_role("main").get_by_role("button", name="Review changes").last.click()
    expect(page.get_by_role("region", name="Summary")).to_contain_text("The NAS is called attic")
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_label("Name of the NAS")).to_have_value("attic")
    expect(page.get_by_role("checkbox", name="Later: create no pool now")).to_be_checked()
    assert complaints == []
