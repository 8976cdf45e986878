"""The pages of snapshots in a real browser: readable for all, at any width, and what a click asks for."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from host.commands.datasets.snapshots import ZfsHold, ZfsSnapshot
from host.simulated import SimulatedHost
from jobs import questions
from tests.browser.accessible import in_both_schemes
from tests.browser.conftest import Complaints, OneAtATime, make_tank
from tests.browser.geometry import misplaced
from tests.conftest import refresh

pytestmark = pytest.mark.browser

PAGES = (
    "/snapshots/tank/", "/snapshots/tank/?sizes=yes", "/snapshots/tank/?text=none", "/snapshot/tank@s2/",
    "/changes/snapshot/tank@s1/", "/changes/snapshot/tank@s1/?to=s2", "/rollback/snapshot/tank@s3/",
    "/rollback/snapshot/tank@s1/",
)  # fmt: skip


def prepare(host: SimulatedHost) -> None:
    """A pool with snapshots, one held, one of a policy, one with a long name."""
    make_tank()
    for name in ("s1", "s2", "s3", "before-the-upgrade-of-the-accounting-program-and-all-its-data-of-2026"):
        host.run(
            ZfsSnapshot(names=(f"tank@{name}",), properties={"nasweb:auto": "1"} if name == "s3" else {})
        )
        host.write("tank", 3 << 30)
    host.run(ZfsHold(names=("tank@s2",), tag="audit"))
    refresh()


def test_the_pages_are_accessible_fit_and_break_no_policy(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in(reduced_motion="reduce")
    prepare(simulated)
    found = []
    for path in PAGES:
        page.goto(path)
        found += misplaced(page)
        found += in_both_schemes(page)
    assert not found, "\n".join(found)
    assert complaints == []


def test_a_click_tells_what_would_be_free(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    prepare(simulated)
    page.goto("/snapshots/tank/")
    page.get_by_role("checkbox", name="s1").check()
    expect(page.get_by_role("button", name="Destroy 1 snapshot")).to_be_visible()
    page.get_by_role("button", name="How much would be freed?").click()
    expect(page.get_by_text("Destroying 1 snapshot would free")).to_be_visible()
    page.get_by_role("button", name="Destroy 1 snapshot").click()
    expect(page.get_by_text("tank@s1").first).to_be_visible()
    assert complaints == []


def test_while_the_worker_reads_only_the_part_that_waits_is_replaced(
    signed_in: Callable[..., Page],
    simulated: SimulatedHost,
    complaints: Complaints,
    request: pytest.FixtureRequest,
) -> None:
    page = signed_in()
    prepare(simulated)
    request.getfixturevalue("silent_worker")
    page.goto("/snapshot/tank@s2/")
    with page.expect_response("**/snapshot/tank@s2/?details=yes"):
        expect(page.get_by_text("Reading from the machine…")).to_be_visible()
    with OneAtATime.turn:
        questions.answer_waiting(simulated)
    expect(page.locator("#facts").get_by_text("audit")).to_be_visible()
    expect(page.get_by_text("Reading from the machine…")).to_have_count(0)
    for once in ("nav.rail", "main", "h1", "#facts"):
        expect(page.locator(once)).to_have_count(1)
    assert complaints == []
