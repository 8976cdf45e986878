"""The page of ZFS's cache."""

from __future__ import annotations

import pytest
from django.test import Client

from host.commands.system.arc import PlaceArcBounds, StageArcBounds
from host.simulated import SimulatedHost
from tests.conftest import refresh

PAGE = "/settings/memory/"


def test_a_limit_is_typed_in_gib_and_planned(browser: Client, simulated: SimulatedHost) -> None:
    refresh()
    page = browser.get(PAGE)
    assert "ZFS decides" in page.content.decode() and page.context["max"] == ""
    plan = browser.post(PAGE, {"max": "2,5", "min": ""}).content.decode()
    assert "ZFS caches in 2.5 GiB of memory at most" in plan


def test_what_is_kept_is_shown_and_given_back_to_zfs(browser: Client, simulated: SimulatedHost) -> None:
    simulated.run(StageArcBounds(max_bytes=3 << 29))
    simulated.run(PlaceArcBounds())
    refresh()
    page = browser.get(PAGE)
    assert page.context["max"] == "1.5" and "Let ZFS decide" in page.content.decode()
    assert "ZFS decides how much memory it caches in" in browser.post(PAGE, {}).content.decode()
    assert "ZFS caches in" in browser.get("/settings/").content.decode()


@pytest.mark.parametrize("typed", ["0", "-3", "much", "1e400", "nan", "999999", "0.001"])
def test_a_wrong_size_stays_in_the_form_with_its_reason(
    browser: Client, simulated: SimulatedHost, typed: str
) -> None:
    refresh()
    answer = browser.post(PAGE, {"max": typed, "min": ""})
    assert answer.status_code == 422
    assert answer.context["max"] == typed and "max" in answer.context["errors"].by_field


def test_a_viewer_sees_it_and_cannot_change_it(viewer: Client, simulated: SimulatedHost) -> None:
    refresh()
    assert viewer.get(PAGE).status_code == 200
    assert viewer.post(PAGE, {"max": "2"}).status_code == 403
