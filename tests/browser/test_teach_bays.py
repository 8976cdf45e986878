"""Describing the case and teaching its bays, by clicking and by keyboard alone."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from host.simulated import SimulatedHost
from jobs import cache
from tests.browser.conftest import Complaints
from tests.conftest import refresh

pytestmark = pytest.mark.browser


def serials_by_bay() -> dict[str, str]:
    """Serial by bay, as the newest inventory has it, for bays that are known by their port."""
    inventory = cache.current()
    assert inventory is not None
    serials = {disk.id: disk.serial or "" for disk in inventory.disks}
    return {s.label: serials[s.disk] for s in inventory.bays if s.disk and s.known_by == "path"}


def describe_the_case(page: Page) -> None:
    page.goto("/teach/")
    page.get_by_role("link", name="Describe the case").click()
    page.get_by_role("link", name=re.compile("^Home tower")).click()
    expect(page.get_by_role("region", name="Chassis of Home tower, 6 bays")).to_be_visible()
    page.get_by_role("button", name="Save chassis").click()
    expect(page.get_by_text("Chassis saved")).to_be_visible()


def test_six_bays_are_taught_in_under_a_minute(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    describe_the_case(page)
    inventory = cache.current()
    assert inventory is not None
    serials = [disk.serial for disk in inventory.disks if disk.transport == "sata"]
    page.goto("/teach/")
    began = time.monotonic()
    page.get_by_role("button", name="Blink it").click()
    taught = {}
    # From the bottom up, to see that the click counts and not the order of the ports.
    for bay in ("6", "5", "4", "3", "2", "1"):
        expect(page.get_by_text("The light is blinking.")).to_be_visible()
        taught[bay] = page.locator(".which .nowrap").first.inner_text()
        page.get_by_role("button", name=f"Bay {bay}", exact=True).click()
        expect(page.get_by_text(f"Bay {bay} is mapped.")).to_be_visible()
    expect(page.get_by_text("All bays are mapped")).to_be_visible()
    assert time.monotonic() - began < 60
    assert sorted(taught.values()) == sorted(filter(None, serials))
    assert serials_by_bay() == taught
    inventory = cache.current()
    assert inventory is not None
    assert inventory.units == ()  # no light was left on
    page.get_by_role("link", name="Show disks in their bays").click()
    expect(page.get_by_text("only guessed from the order")).to_have_count(0)
    assert complaints == []


def test_a_bay_is_taught_without_a_pointer(signed_in: Callable[..., Page], simulated: SimulatedHost) -> None:
    page = signed_in()
    describe_the_case(page)
    page.goto("/teach/")
    page.get_by_role("button", name="Blink it").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("The light is blinking.")).to_be_visible()
    serial = page.locator(".which .nowrap").first.inner_text()
    page.locator(".sled.seat").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".sled.seat:focus .label")).to_have_text("3")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Bay 3 is mapped.")).to_be_visible()
    assert serials_by_bay() == {"3": serial}


def test_a_disk_that_is_pulled_and_put_back_tells_its_bay(
    signed_in: Callable[..., Page], simulated: SimulatedHost
) -> None:
    page = signed_in()
    describe_the_case(page)
    page.goto("/teach/?mode=pull")
    expect(page.get_by_text("Watching")).to_be_visible()
    inventory = cache.current()
    assert inventory is not None
    pulled = next(disk for disk in inventory.disks if disk.path == "/dev/sdc")
    simulated.pull(pulled.id)
    refresh()
    expect(page.get_by_text("Put it back into the same bay.")).to_be_visible()
    simulated.insert(pulled.id)
    refresh()
    expect(page.get_by_text("is back")).to_be_visible()
    page.get_by_role("button", name="Bay 3", exact=True).click()
    expect(page.get_by_text("Bay 3 is mapped.")).to_be_visible()
    expect(page.get_by_text("Watching")).to_be_visible()
    assert serials_by_bay() == {"3": pulled.serial}


def test_what_was_taught_goes_to_a_file_and_comes_back(
    signed_in: Callable[..., Page], simulated: SimulatedHost
) -> None:
    page = signed_in()
    describe_the_case(page)
    page.goto("/teach/")
    page.get_by_role("button", name="Blink it").click()
    expect(page.get_by_text("The light is blinking.")).to_be_visible()
    page.get_by_role("button", name="Bay 2", exact=True).click()
    expect(page.get_by_text("Bay 2 is mapped.")).to_be_visible()
    before = serials_by_bay()
    with page.expect_download() as download:
        page.get_by_role("link", name="Export as YAML").click()
    path = download.value.path()
    page.get_by_label("Import from YAML").set_input_files(
        {
            "name": "bays.yaml",
            "mimeType": "text/yaml",
            "buffer": b"chassis: [",
        }
    )
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_text("This YAML cannot be used")).to_have_count(2)
    page.get_by_label("Import from YAML").set_input_files(path)
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Set the chassis and bay mapping").click()
    expect(page.get_by_role("status").filter(has_text="done")).to_be_visible()
    assert serials_by_bay() == before
