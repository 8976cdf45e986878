"""Keyboard, pointer, and no script at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, expect

from alerts import tasks
from host.simulated import SimulatedHost
from jobs import cache
from tests.browser.conftest import PASSWORD, Complaints, OneAtATime, make_tank
from tests.conftest import refresh

pytestmark = pytest.mark.browser

_AWAIT_ANSWER = """(part) => {
  window.answered = new Promise((done) => {
    document.addEventListener("htmx:after:swap", (event) => {
      if (event.detail.ctx.target.id === part) done();
    });
  });
}"""


@contextmanager
def answer_in(page: Page, part: str) -> Iterator[None]:
    """Do what asks for an answer, and wait until it stands in the element of the id `part`."""
    page.evaluate(_AWAIT_ANSWER, part)
    yield
    page.evaluate("window.answered")


def test_a_slash_goes_to_the_search_and_arrows_to_what_it_found(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    page.goto("/")
    box = page.get_by_role("searchbox")
    page.keyboard.press("/")
    expect(box).to_be_focused()
    page.keyboard.type("a3")
    expect(box).to_have_value("a3")
    expect(page.locator("#found a")).to_have_count(1)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/disks/ata-"))
    expect(page.get_by_text(", in bay A3")).to_be_visible()


def test_what_is_typed_and_ticked_before_the_script_ran_is_answered_then(
    signed_in: Callable[..., Page],
) -> None:
    page = signed_in()
    held: list[Route] = []
    page.route("**/dist/app.js", lambda route: held.append(route))
    page.goto("/create/pool/", wait_until="commit")
    page.get_by_role("searchbox").fill("a3")
    for number in (1, 2, 3, 4):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    expect(page.locator("#found a")).to_have_count(0)
    held[0].continue_()
    expect(page.locator("#found a")).to_have_count(1)
    expect(page.get_by_role("radio", name="raidz1 4 disks")).to_be_visible()


def test_arrow_keys_walk_from_bay_to_bay_and_enter_opens_the_disk(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    page.goto("/")
    page.locator("a.sled").first.focus()
    for key, bay in (
        ("ArrowRight", "A2"),
        ("ArrowRight", "A3"),
        ("ArrowLeft", "A2"),
        ("ArrowDown", "U2"),
        ("ArrowUp", "A2"),
    ):
        page.keyboard.press(key)
        expect(page.locator("a.sled:focus .label")).to_have_text(bay)
    expect(page.locator("a.sled[tabindex='0']")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_text(", in bay A2")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("a.sled:focus .label")).to_have_text("A2")


def test_pointing_at_a_vdev_lights_its_bays(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    make_tank()
    page.goto("/")
    page.get_by_role("link", name="raidz2-0 6 disks").hover()
    expect(page.locator(".bay.lit")).to_have_count(6)
    page.get_by_role("heading", name="tank is healthy").hover()
    expect(page.locator(".bay.lit")).to_have_count(0)
    page.get_by_role("link", name="raidz2-0 6 disks").focus()
    expect(page.locator(".bay.lit")).to_have_count(6)


def test_ticking_disks_shows_the_layouts_they_allow(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    page.goto("/create/pool/")
    expect(page.get_by_text("Select disks above")).to_be_visible()
    page.get_by_role("checkbox", name="Bay A1:").check()
    expect(page.get_by_role("radio")).to_have_count(12)  # six roles, five uses, and the single disk
    for number in (2, 3, 4):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    page.get_by_role("radio", name="raidz1 4 disks").check()
    page.get_by_role("checkbox", name="Bay A5:").check()
    expect(page.get_by_role("radio", name="raidz1 5 disks")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Bay U1:")).to_be_disabled()


def test_a_disk_is_ticked_as_a_spare(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    page.goto("/create/pool/")
    for number in range(1, 6):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    page.get_by_role("radio", name="Spare", exact=True).check(force=True)
    page.get_by_role("checkbox", name="Bay A6:").check()
    expect(page.locator("#tally")).to_have_text("5 disks for data, 1 spare")
    page.get_by_role("radio", name="raidz2 5 disks").check()
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_label("Commands of this step").last).to_contain_text(" spare /dev/disk/by-id/")
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_role("checkbox", name="Bay A6:")).to_have_attribute("name", "spare")
    expect(page.get_by_role("radio", name="raidz2 5 disks")).to_be_checked()


@pytest.mark.parametrize("width", [390, 720, 1280])
def test_the_circle_of_every_layout_can_be_clicked(signed_in: Callable[..., Page], width: int) -> None:
    page = signed_in()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/create/pool/")
    for number in range(1, 6):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    circles = page.locator("#choices > .layouts input[name=layout]")
    expect(page.get_by_role("radio", name="raidz3 5 disks")).to_be_visible()
    assert circles.count() > 3
    for circle in circles.all():
        circle.click(trial=True)


def test_a_page_that_is_open_shows_what_another_one_did(signed_in: Callable[..., Page]) -> None:
    watching = signed_in()
    watching.goto("/")
    expect(watching.get_by_role("heading", name="No pool yet")).to_be_visible()
    watching.get_by_role("radio", name="Health").check(force=True)
    make_tank()
    expect(watching.get_by_role("heading", name="tank is healthy")).to_be_visible()
    expect(watching.get_by_role("radio", name="Health")).to_be_checked()


def test_what_somebody_opened_or_closed_stays_so_when_the_page_is_refreshed(
    signed_in: Callable[..., Page], simulated: SimulatedHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks._Seen, "as_of", "")
    monkeypatch.setattr(tasks._Seen, "unsure", frozenset())
    page = signed_in()
    make_tank()
    with OneAtATime.turn:
        fail_a_disk(simulated)
    page.goto("/pools/tank/")
    page.locator("details.menu summary").first.click()
    page.get_by_text(re.compile(r"^All \d+ properties")).click()
    page.locator("details.next[open] summary").first.click()
    opened = page.locator("#main details[open]")
    expect(opened).to_have_count(2)
    with OneAtATime.turn:
        fail_a_disk(simulated)
    expect(page.get_by_role("table").get_by_text("FAULTED")).to_have_count(2)
    expect(opened).to_have_count(2)


def fail_a_disk(simulated: SimulatedHost) -> None:
    inventory = cache.current()
    assert inventory is not None
    (pool,) = inventory.pools
    leaf = next(one for one in pool.vdevs[0].children if one.state == "ONLINE")
    simulated.fail(leaf.disk or "")
    refresh()
    tasks.watch()


def test_a_console_that_is_away_for_a_moment_leaves_the_page_as_it_is(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    make_tank()
    page.goto("/pools/tank/")
    polls = re.compile(r"/pools/tank/\?seen=")
    away = "<html><body><nav class=rail>Away</nav></body></html>"
    page.route(polls, lambda route: route.fulfill(status=503, content_type="text/html", body=away))
    for _ in range(2):
        with page.expect_response(polls):
            refresh_in_turn()
    expect(page.locator("nav.rail")).to_have_count(1)
    expect(page.get_by_role("heading", name="tank", exact=True)).to_be_visible()


def refresh_in_turn() -> None:
    with OneAtATime.turn:
        refresh()


def test_a_fold_opens_where_the_chosen_layout_lies_in_it(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    page.goto("/create/pool/")
    for number in range(1, 6):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    expect(page.locator("#tally")).to_have_text("5 disks for data")
    fold = page.locator("#more-layouts")
    fold.locator("summary").first.click()
    with answer_in(page, "choices"):  # it opens the fold, and would do so after it was closed below
        fold.locator("input[name=layout]").first.check()
    fold.locator("summary").first.click()
    with answer_in(page, "found"):
        page.get_by_role("searchbox").fill("a3")
    expect(fold).not_to_have_attribute("open", "")
    page.get_by_role("radio", name="Spare", exact=True).check(force=True)
    expect(fold.locator("input[name=layout]:checked")).to_be_visible()


def test_enter_in_a_field_presses_the_main_button(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    make_tank()
    page.goto("/create/pool/")
    page.get_by_label("Name", exact=True).press("Enter")
    expect(page.get_by_text("Select the disks for the pool.").first).to_be_visible()
    page.goto("/destroy/pool/tank/")
    page.get_by_label("Type tank to confirm").press("Enter")
    page.get_by_label("Type tank to confirm").fill("tank")
    page.get_by_label("Type tank to confirm").press("Enter")
    expect(page).to_have_url(re.compile(r"/jobs/\d+/$"))


def test_without_script_a_pool_can_be_made_all_the_same(
    visit: Callable[..., Page], signed_in: Callable[..., Page], complaints: Complaints
) -> None:
    page = signed_in(java_script_enabled=False)
    page.goto("/")
    page.get_by_role("link", name="Create a pool").first.click()
    for number in range(1, 5):
        page.get_by_role("checkbox", name=f"Bay A{number}:").check()
    page.get_by_role("button", name="Show layouts for these disks").click()
    page.get_by_role("radio", name="2 × mirror").check()
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create tank").click()
    page.get_by_role("link", name="Open tank").click()
    expect(page.get_by_text("mirror-1")).to_be_visible()


def test_a_signed_out_window_goes_to_the_sign_in_by_itself(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    page.goto("/")
    page.context.clear_cookies()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("User name").fill("admin")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="No pool yet")).to_be_visible()


def test_the_slider_of_the_cache_and_its_box_say_the_same(signed_in: Callable[..., Page]) -> None:
    page = signed_in()
    page.goto("/settings/memory/")
    slider, box = page.get_by_role("slider"), page.get_by_label("At most (GiB)")
    slider.fill("3")
    expect(box).to_have_value("3")
    expect(page.get_by_text("4.7 GiB are left to everything else.")).to_be_visible()
    box.fill("2,5")
    expect(slider).to_have_value("2.5")
    box.fill("")
    expect(page.get_by_text("Empty: ZFS decides, all but 1 GiB.")).to_be_visible()
