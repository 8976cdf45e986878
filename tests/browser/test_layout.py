"""What stands beside what: nothing covers or touches its neighbour, and nothing that matters is left out."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from host.inventory import Scan
from host.simulated import SimulatedHost
from tests import made
from tests.browser.conftest import PASSWORD, make_tank
from tests.browser.geometry import covering, cut_off, touching
from tests.frontend import machines
from tests.frontend.conftest import show

pytestmark = pytest.mark.browser
WIDTHS = (360, 1100, 1440, 1920)


def with_errors(vdevs: int) -> None:
    """`tank`, of which one disk counts checksum errors, after a scrub that repaired something."""
    machine = machines.tank(width=5, vdevs=vdevs, scan=Scan(
        function="SCRUB", state="FINISHED", finished="2026-11-21T12:00:00Z", repaired_bytes=31_247_565
    ))  # fmt: skip
    (pool,) = machine.pools
    first, *others = pool.vdevs
    bad = msgspec.structs.replace(first.children[2], checksum_errors=7)
    first = msgspec.structs.replace(first, children=(*first.children[:2], bad, *first.children[3:]))
    show(msgspec.structs.replace(machine, pools=(msgspec.structs.replace(pool, vdevs=(first, *others)),)))


@pytest.mark.parametrize("vdevs", [1, 2, 5])
def test_the_state_of_a_pool_is_covered_by_nothing(signed_in: Callable[..., Page], vdevs: int) -> None:
    page = signed_in()
    with_errors(vdevs)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for path in ("/", "/pools/"):
            page.goto(path)
            line = page.locator(".pool-line")
            expect(line.locator(".state")).to_have_text("online, with errors")
            assert touching(page) == [], (width, path)
            assert covering(page, ".state", ".chips", ".pool-line") == [], (width, path)
            assert cut_off(page, ".pool-line .name") == [], (width, path)
            heights = line.locator(".chip").evaluate_all("all => all.map(one => one.offsetHeight)")
            assert max(heights) < 32, (width, path)  # one line


@pytest.mark.parametrize("width", [360, 1440])
def test_a_dataset_of_which_little_is_taken_has_an_empty_bar(
    signed_in: Callable[..., Page], width: int
) -> None:
    page = signed_in(width=width)
    make_tank()
    for path in ("/datasets/tank/", "/quotas/tank/"):
        page.goto(path)
        bar = page.locator(".quotas svg.shares")
        whole = bar.bounding_box()
        assert whole is not None
        ends = bar.locator("rect").evaluate_all("all => all.map(one => one.getBoundingClientRect().right)")
        assert max(ends) - whole["x"] < whole["width"] / 20
        expect(page.locator(".share-list")).to_contain_text("free")
        assert touching(page) == []


@pytest.mark.parametrize("width", [360, 720, 1440])
def test_a_tick_covers_no_word_and_each_bay_shows_its_size(
    signed_in: Callable[..., Page], width: int
) -> None:
    page = signed_in(width=width)
    flat, dense, few = (
        [made.disk(number, size_bytes=12_000_138_625_024) for number in range(1, count + 1)]
        for count in (24, 60, 6)
    )  # 10.9 TiB: as long as sizes get
    for disks, columns in ((flat, 4), (dense, 12), (dense, 15), (few, 6)):
        show(machines.placed(disks, columns=columns))
        page.goto("/create/pool/")
        picks = page.locator(".sled.pick")
        expect(picks).to_have_count(len(disks))
        for index in (0, 3):
            picks.nth(index).locator("input").check()
        where = (width, columns)
        ticked = ".sled.pick:has(:checked)"
        for text in (".word", ".label", ".size", ".grille"):
            assert covering(page, ".light", text, ticked) == [], (*where, text)
        assert covering(page, ".size", ".word", ".sled.pick") == [], where
        assert cut_off(page, ".sled.pick .size") == [], where


def test_a_rack_of_real_disks_shows_their_sizes(
    rack24: SimulatedHost, admin: User, visit: Callable[..., Page]
) -> None:
    page = visit()
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(admin.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.goto("/create/pool/")
    sizes = page.locator(".flat .sled.pick .size")
    expect(sizes).to_have_count(24)
    assert cut_off(page, ".flat .sled.pick .size") == []
