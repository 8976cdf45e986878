"""A system that moves onto a boot pair, looked at from step to step in both schemes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from host.simulated import SimulatedHost
from tests.browser.accessible import in_both_schemes
from tests.browser.conftest import PASSWORD, Complaints
from tests.conftest import refresh

pytestmark = pytest.mark.browser


def test_a_system_moves_from_one_stick_to_two(
    visit: Callable[..., Page], single: SimulatedHost, admin: User, complaints: Complaints
) -> None:
    page = visit(width=360, reduced_motion="reduce")
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(admin.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_hidden()
    page.goto("/boot/")
    found = in_both_schemes(page)
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Copy the system to a second disk").click()
    page.get_by_text("done in").first.wait_for()
    for seconds, words in ((30, "Under way"), (31, "Restart into the copy")):
        single.pass_time(seconds)
        refresh()
        page.goto("/boot/")
        page.get_by_text(words).first.wait_for()
        found += in_both_schemes(page)
    with page.expect_navigation():
        page.get_by_role("button", name="Restart into the copy").click()
    found += in_both_schemes(page)
    assert not found, "\n".join(found)
    assert complaints == []
