"""Further accounts by clicking, what mdadm told of an array, and a channel that cannot be opened."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from alerts.channels import keys, locked, stored
from alerts.channels.requests import CreateChannel
from alerts.tasks import read_md_events, watch
from host.simulated import SimulatedHost
from jobs import cache
from tests.alerts.channels.conftest import ADA
from tests.browser.accessible import in_both_schemes, violations
from tests.browser.conftest import Complaints
from tests.conftest import refresh

pytestmark = pytest.mark.browser


def narrow(page: Page) -> bool:
    """Whether nothing sticks out to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))


def test_a_further_person_gets_in_and_is_let_go(
    signed_in: Callable[..., Page], visit: Callable[..., Page], complaints: Complaints
) -> None:
    page = signed_in(width=360, reduced_motion="reduce")
    page.goto("/settings/")
    page.get_by_role("link", name="Console accounts", exact=True).click()
    page.get_by_label("User name").fill("a b")
    page.get_by_role("button", name="Create account").click()
    page.get_by_text("Enter a valid username").first.wait_for()
    found = in_both_schemes(page)
    page.get_by_label("User name").fill("anna")
    page.get_by_label(re.compile("^Operator")).check()
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("status")).to_contain_text("The account anna was created")
    password = page.locator(".secret code").inner_text()
    found += in_both_schemes(page)
    fits = [narrow(page)]

    other = visit(reduced_motion="reduce")
    other.goto("/accounts/login/")
    other.get_by_label("User name").fill("anna")
    other.get_by_label("Password").fill(password)
    other.get_by_role("button", name="Sign in").click()
    expect(other.get_by_role("heading", name="Sign in")).to_be_hidden()
    other.goto("/settings/accounts/")
    expect(other.get_by_role("button", name="Create account")).to_be_disabled()
    found += in_both_schemes(other)

    with page.expect_navigation():
        page.get_by_role("link", name="anna").click()
    found += in_both_schemes(page)
    fits.append(narrow(page))
    page.get_by_role("button", name="Reset password").click()
    expect(page.get_by_role("status")).to_contain_text("anna has a new password")
    found += in_both_schemes(page)
    page.get_by_text("Delete account").click()
    found += in_both_schemes(page)
    page.get_by_role("button", name="Delete anna").click()
    expect(page.get_by_text("The account anna was deleted.")).to_be_visible()
    # Its open page leads to the sign-in by itself within seconds: sending it there, too, would be a race.
    expect(other.get_by_label("User name")).to_be_visible()
    assert not found, "\n".join(found)
    assert fits == [True, True]
    assert complaints == []


def test_what_mdadm_told_stands_on_the_arrays_page(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in(width=360, reduced_motion="reduce")
    inventory = cache.current()
    assert inventory is not None
    simulated.fail(inventory.arrays[0].members[1].disk or "")
    refresh()
    watch()
    read_md_events()
    page.goto(f"/arrays/{inventory.arrays[0].name}/")
    expect(page.get_by_role("heading", name="History")).to_be_visible()
    expect(page.get_by_text("failed: the array does not use it any more.").first).to_be_visible()
    assert violations(page) == []
    assert narrow(page)
    assert complaints == []


def test_a_channel_says_what_has_to_be_typed_again(
    signed_in: Callable[..., Page], complaints: Complaints, settings: Any, tmp_path: Path
) -> None:
    settings.NASWEB_CHANNEL_KEY = tmp_path / "channels.key"
    keys.publish()
    asked = CreateChannel(name="Phone", kind="ntfy", fields={"topic": "nas-k7f2q9x4", "token": "tk_secret"})
    row = stored.create(stored.wanted(asked, ADA), "admin")
    settings.NASWEB_CHANNEL_KEY = tmp_path / "other.key"
    keys.publish()
    locked.examine(keys.private_key())
    row.refresh_from_db()
    page = signed_in(width=360, reduced_motion="reduce")
    page.goto("/settings/notifications/")
    found = violations(page)
    fits = [narrow(page)]
    page.get_by_role("link", name="Type it for Phone").click()
    expect(page.get_by_text("This channel sends no notifications at the moment")).to_be_visible()
    found += violations(page)
    fits.append(narrow(page))
    for field in locked.titles(row):
        page.get_by_label(field).fill("nas-another")
    page.get_by_role("button", name="Save changes").click()
    row.refresh_from_db()
    assert row.lost == []
    assert not found, "\n".join(found)
    assert fits == [True, True]
    assert complaints == []
