"""From the one-time link to a destroyed pool, by clicking."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts import setup
from host.simulated import SimulatedHost
from tests.browser.conftest import PASSWORD, Complaints

pytestmark = pytest.mark.browser


def make_the_first_account(page: Page) -> None:
    page.goto(f"/setup/{setup.issue()}/")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name="Create admin account").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up this NAS")  # which is not the only way
    page.get_by_role("link", name="Overview").first.click()
    expect(page.get_by_role("heading", name="No pool yet")).to_be_visible()
    expect(page.get_by_role("region", name="Chassis of nas")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile(r"^Bay A[1-6]: .* free, bay guessed$"))).to_have_count(6)


def create_the_pool(page: Page) -> None:
    page.get_by_role("link", name="Create a pool").first.click()
    for number in range(1, 7):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    page.get_by_role("radio", name="raidz2 6 disks").check()
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_label("Summary")).to_contain_text("tank is created from a raidz2 of 6 disks")
    page.get_by_text("Exactly what will run").click()
    expect(page.get_by_role("heading", name="Prepare 6 disks")).to_be_visible()
    commands = page.get_by_label("Commands of this step").last
    expect(commands).to_contain_text("zpool create -o ashift=12")
    expect(commands).to_contain_text("raidz2 /dev/disk/by-id/ata-")
    page.get_by_role("button", name="Create tank").click()
    expect(page.get_by_role("status").filter(has_text="done")).to_be_visible()
    page.get_by_role("link", name="Open tank").click()
    expect(page.get_by_role("heading", name="tank")).to_be_visible()
    expect(page.get_by_role("cell", name="online")).to_have_count(7)  # raidz2-0 and six disks


def see_it_in_the_bays(page: Page) -> None:
    page.get_by_role("link", name="Overview", exact=True).first.click()
    expect(page.get_by_role("heading", name="tank is healthy")).to_be_visible()
    members = page.get_by_role("link", name=re.compile(r"^Bay A[1-6]: .* in tank, raidz2-0"))
    expect(members).to_have_count(6)
    edges = page.locator(".bay.v0 .sled").evaluate_all(
        "sleds => sleds.map(sled => getComputedStyle(sled, '::before').backgroundColor)"
    )
    assert len(edges) == 6
    assert len(set(edges)) == 1


def use_it(page: Page) -> None:
    page.goto("/create/dataset/?in=tank")
    page.get_by_label("Name").fill("media")
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create dataset tank/media").click()
    page.get_by_role("link", name="Open tank/media").click()
    page.get_by_label("Compression").select_option("zstd")
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_text("tank/media: lz4 → zstd")).to_be_visible()
    page.get_by_role("button", name="Change 1 property").click()
    page.get_by_role("link", name="tank/media", exact=True).click()
    expect(page.get_by_label("Compression")).to_have_value("zstd")
    page.goto("/snapshots/tank/media/")
    page.get_by_label("New snapshot").fill("before")
    page.get_by_role("button", name="Take a snapshot").click()  # harmless, so that is all
    expect(page.get_by_role("status").filter(has_text="Take snapshot before: done.")).to_be_visible()
    expect(page.get_by_role("rowheader", name="before")).to_be_visible()


def destroy_it(page: Page) -> None:
    page.goto("/pools/tank/")
    page.get_by_role("link", name="Destroy").click()
    lost = page.get_by_role("region", name="This will be permanently deleted")
    expect(lost).to_contain_text("tank/media")
    button = page.get_by_role("button", name="Destroy tank and 1 dataset")
    expect(button).to_be_disabled()
    page.get_by_label("Type tank to confirm").fill("tan")
    expect(button).to_be_disabled()
    page.get_by_label("Type tank to confirm").fill("tank")
    button.click()
    page.get_by_role("link", name="Pools", exact=True).last.click()
    expect(page.get_by_role("heading", name="No pool is imported")).to_be_visible()


def test_a_bare_machine_gets_a_pool_that_is_used_and_destroyed(
    visit: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = visit()
    make_the_first_account(page)
    create_the_pool(page)
    see_it_in_the_bays(page)
    use_it(page)
    destroy_it(page)
    assert complaints == []
