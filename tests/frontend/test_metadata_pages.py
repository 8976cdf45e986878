"""The page of a pool's metadata: begun at a click, followed, stopped, and read."""

from __future__ import annotations

import pytest
from django.test import Client

from frontend.metadata import view
from host.simulated import SimulatedHost
from jobs import questions
from pools.metadata.see import QUESTION
from tests.frontend.test_compression_pages import home
from tests.frontend.test_key_pages import text

__all__ = ["home"]

HERE = "/metadata/tank/"


@pytest.mark.usefixtures("standing_clock")
def test_a_click_begins_it_and_the_answer_is_shown(home: Client, simulated: SimulatedHost) -> None:
    assert "The blocks of this pool have never been counted by type." in text(home.get(HERE))
    assert home.post(HERE).headers["Location"] == HERE
    simulated.pass_time(20)
    during = text(home.get(HERE))
    assert "Reading block pointers, 50% done" in during and 'hx-trigger="tick from:body"' in during
    simulated.pass_time(60)
    questions.forget(QUESTION)  # answered a moment ago
    after = text(home.get(f"{HERE}?part=figures", headers={"HX-Request": "true"}))
    assert "Counted, started" in after and "<html" not in after
    assert "Special vdev: it would do little" in after and "none, metadata alone" in after
    for page in ("/pools/tank/", "/pools/tank/add/"):
        assert f'href="{HERE}"' in text(home.get(page)), page


def test_it_can_be_stopped(home: Client, simulated: SimulatedHost) -> None:
    home.post(HERE)
    simulated.pass_time(5)
    assert home.post("/stop-metadata/tank/").headers["Location"] == HERE
    assert "Stopped, started" in text(home.get(HERE))


def test_little_is_not_shown_as_nothing() -> None:
    assert [view.percent(share) for share in (0.0, 0.0004, 0.001, 0.0244)] == [
        "less than 0.1%", "less than 0.1%", "0.1%", "2.4%",
    ]  # fmt: skip
