"""The views of the chassis by keyboard and pointer, lights, and what only appears when something is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, expect

from disks import tasks
from host.inventory import Absent, Unit
from host.simulated import SimulatedHost
from jobs import cache
from tests import made
from tests.browser.accessible import in_both_schemes
from tests.browser.conftest import Complaints, make_tank
from tests.conftest import refresh
from tests.frontend import machines
from tests.frontend.conftest import show

pytestmark = pytest.mark.browser


def edges(page: Page) -> list[str]:
    """What the sleds' edges are painted with."""
    return page.locator("a.sled").evaluate_all(  # type: ignore[no-any-return]
        "sleds => sleds.map(sled => getComputedStyle(sled, '::before').backgroundColor)"
    )


def troubled() -> None:
    """A case with one of everything: missing, new, asleep, failing, lit, doubted."""
    gone = Absent(id="ata-old", serial="WD-OLD", model="WDC WD30EFRX", since="2026-11-21T10:03:00Z")
    disks = [
        made.disk(1, temperature_celsius=24),
        made.disk(2, temperature_celsius=47, health="failing"),
        made.disk(3, asleep=True),
        made.disk(4),
        made.disk(5, health="warning", temperature_celsius=37),
        made.disk(6, temperature_celsius=41),
    ]
    machine = machines.placed(
        disks, columns=3, b4={"disk": None, "missing": gone}, b5={"fresh": True}, b6={"doubt": "A doubt."}
    )
    blink = Unit(kind="blink", serial="WD-0001", state="running")
    show(msgspec.structs.replace(machine, units=(blink,)))


def test_a_view_is_chosen_without_a_round_trip_and_kept_by_the_address(
    signed_in: Callable[..., Page], complaints: Complaints
) -> None:
    page = signed_in()
    troubled()
    page.goto("/disks/")
    before = edges(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "view=" in request.url else None)
    page.get_by_role("radio", name="Pools").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Heat")).to_be_checked()
    assert edges(page) != before
    assert asked == []
    expect(page).to_have_url(re.compile(r"\?view=heat$"))
    page.reload()
    expect(page.get_by_role("radio", name="Heat")).to_be_checked()
    assert complaints == []


def test_the_figure_in_the_sled_is_that_of_the_view(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    tasks.read_smart()
    refresh()
    page.goto("/disks/?view=age")
    sled = page.locator("a.sled").first
    expect(sled.locator(".tell.age")).to_be_visible()
    expect(sled.locator(".tell.heat")).to_be_hidden()
    page.get_by_role("radio", name="Heat").check(force=True)
    expect(sled.locator(".tell.heat")).to_contain_text("°C")
    expect(sled.locator(".tell.age")).to_be_hidden()


def test_pointing_at_a_bay_lights_its_vdev_and_a_row_lights_its_bay(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    make_tank()
    page.goto("/")
    page.locator("a.sled").first.hover()
    expect(page.locator(".chip.lit")).to_have_count(1)
    page.goto("/disks/")
    page.get_by_role("row", name=re.compile("^Select U1 ")).hover()
    expect(page.locator(".bay.here .label")).to_have_text("U1")
    page.get_by_role("row", name=re.compile("^Select A2 ")).get_by_role("link").focus()
    expect(page.locator(".bay.here .label")).to_have_text("A2")
    expect(page.locator(".bay.lit")).to_have_count(6)


def test_a_disk_is_located_from_its_drawer_and_put_out_from_another_page(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    page.goto("/disks/")
    page.get_by_role("link", name="Bay A3:").click()
    drawer = page.get_by_role("dialog")
    drawer.get_by_role("button", name="Locate A3").click()
    expect(drawer.get_by_role("button", name="Turn the light off, A3")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".bay.locating .label")).to_have_text("A3")
    page.goto("/pools/")
    page.get_by_role("button", name="A3 off").click()
    expect(page.get_by_text("locate light on")).to_have_count(0)
    inventory = cache.current()
    assert inventory is not None
    assert inventory.units == ()
    assert complaints == []


def test_the_chart_is_drawn_and_changes_its_span(
    signed_in: Callable[..., Page], complaints: Complaints
) -> None:
    page = signed_in()
    tasks.read_smart()
    refresh()
    page.goto("/disks/")
    page.get_by_role("row", name=re.compile("^Select A1 ")).get_by_role("link").click()
    page.get_by_role("dialog").get_by_role("link", name="Open disk page").click()
    chart = page.locator("[data-chart]")
    chart.scroll_into_view_if_needed()
    expect(chart.locator("canvas")).to_be_visible()
    with page.expect_response(re.compile("/charts/points/")) as answer:
        page.get_by_role("radio", name="2 years").check(force=True)
    assert answer.value.ok
    expect(chart.locator("canvas")).to_be_visible()
    assert complaints == []


def test_bays_and_disks_in_trouble_are_accessible(
    signed_in: Callable[..., Page], complaints: Complaints
) -> None:
    page = signed_in(reduced_motion="reduce")
    troubled()
    found = []
    views = [f"/disks/?view={view}" for view in ("pools", "heat", "health", "activity", "age")]
    for path in (*views, "/disks/?show=trouble", "/teach/", "/teach/?mode=pull"):
        page.goto(path)
        found += in_both_schemes(page)
    page.goto("/chassis/edit/")
    page.get_by_label("Rows").first.fill("many")
    page.get_by_role("button", name="Save chassis").click()
    page.get_by_text("Check the marked fields").wait_for()
    found += in_both_schemes(page)
    assert not found, "\n".join(found)
    assert complaints == []


def test_without_script_bays_are_taught_and_views_chosen(
    signed_in: Callable[..., Page], simulated: SimulatedHost
) -> None:
    page = signed_in(java_script_enabled=False)
    page.goto("/disks/")
    page.get_by_role("radio", name="Health").check(force=True)
    page.locator(".views").get_by_role("button", name="Show").click()
    expect(page.get_by_role("radio", name="Health")).to_be_checked()
    page.goto("/chassis/edit/?profile=home-tower-6")
    page.get_by_role("button", name="Save chassis").click()
    expect(page.get_by_role("button", name="Save chassis")).to_be_hidden()
    page.goto("/teach/")
    page.get_by_role("button", name="Blink it").click()
    page.get_by_role("button", name="Bay 3", exact=True).click()
    expect(page.get_by_text("1 of 8 disks mapped")).to_be_visible()
    inventory = cache.current()
    assert inventory is not None
    assert [bay.label for bay in inventory.bays if bay.disk] == ["3"]
