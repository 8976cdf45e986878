"""The tree of datasets in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from host.simulated import SimulatedHost
from tests.browser.conftest import make_tank

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_tree_shows_which_open_dataset_is_encrypted(
    signed_in: Callable[..., Page], simulated: SimulatedHost, scheme: str
) -> None:
    page = signed_in(color_scheme=scheme)
    make_tank()
    page.goto("/create/dataset/?in=tank")
    page.get_by_label("Name", exact=True).fill("private")
    page.get_by_label("Own passphrase").check()
    page.get_by_label("New passphrase").fill("five random words typed")
    page.get_by_label("Confirm passphrase").fill("five random words typed")
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create").click()
    expect(page.get_by_role("button", name="Create")).to_be_hidden()
    page.goto("/datasets/")
    expect(page.get_by_title("encrypted, its key is loaded")).to_be_visible()
