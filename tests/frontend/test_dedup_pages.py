"""The page of what deduplication would save: begun at a click, followed, stopped, and read."""

from __future__ import annotations

import pytest
from django.test import Client

from frontend.dedup import view
from host.dedup.values import References
from host.simulated import SimulatedHost
from jobs import questions
from pools.dedup.see import QUESTION
from tests.frontend.test_compression_pages import home
from tests.frontend.test_key_pages import text

__all__ = ["home"]

HERE = "/dedup/tank/"


@pytest.mark.usefixtures("standing_clock")
def test_a_click_begins_it_and_the_answer_is_shown(home: Client, simulated: SimulatedHost) -> None:
    assert "The blocks of this pool have never been counted." in text(home.get(HERE))
    assert home.post(HERE).headers["Location"] == HERE
    simulated.pass_time(20)
    during = text(home.get(HERE))
    assert "Reading block pointers, 50% done" in during and 'hx-trigger="tick from:body"' in during
    simulated.pass_time(60)
    questions.forget(QUESTION)  # answered a moment ago
    after = text(home.get(f"{HERE}?part=figures", headers={"HX-Request": "true"}))
    assert "Counted, started" in after and "<html" not in after
    assert "It is not worth it" in after and "What the table would take" in after
    assert f'href="{HERE}"' in text(home.get("/pools/tank/"))


def test_it_can_be_stopped(home: Client, simulated: SimulatedHost) -> None:
    home.post(HERE)
    simulated.pass_time(5)
    assert home.post("/stop-dedup/tank/").headers["Location"] == HERE
    assert "Stopped, started" in text(home.get(HERE))


def test_how_often_blocks_are_there_is_said_in_words() -> None:
    found = tuple(
        References(references=times, blocks=1, size_bytes=1, referenced_blocks=1, referenced_bytes=1)
        for times in (1, 2, 1024)
    )
    assert [row.references for row in view.blocks(found)] == [
        "once",
        "2 or 3 times",
        "1\N{NO-BREAK SPACE}024 to 2\N{NO-BREAK SPACE}047 times",
    ]
