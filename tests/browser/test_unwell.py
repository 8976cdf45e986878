"""A disk that counts errors, by clicks: left out by itself, taken only once its counts were ticked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from disks.smart import readings
from host.simulated import SimulatedHost
from jobs import cache
from tests.browser.accessible import violations
from tests.browser.conftest import Complaints
from tests.conftest import refresh
from tests.frontend.conftest import free_disks

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1440, 360])
def test_a_sick_disk_is_ticked_by_hand_and_asked_for(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints, width: int
) -> None:
    page = signed_in(width=width)
    sick = free_disks()[-1]
    simulated.age(sick, pending=8, uncorrectable=2)
    inventory = cache.current()
    assert inventory is not None
    readings.read_all(simulated, inventory)
    refresh()
    page.goto("/create/pool/")
    page.get_by_role("button", name="All free disks").click()
    box = page.locator(f"input[value='{sick}']")
    expect(box).not_to_be_checked()
    box.check(force=True)
    page.get_by_role("radio", name="raidz2 6 disks").check()
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_role("alert")).to_contain_text("1 disk has problems")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert violations(page) == []
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_text("Select each disk you want to use anyway")).to_be_visible()
    page.get_by_role("checkbox", name="8 pending sectors; 2 uncorrectable sectors").check()
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_label("Warnings")).to_contain_text("8 pending sectors; 2 uncorrectable sectors")
    page.get_by_role("button", name="Create tank").click()
    page.get_by_role("link", name="Open tank").wait_for()
    assert complaints == []
