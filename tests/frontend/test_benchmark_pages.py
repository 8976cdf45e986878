"""The page of how fast a pool is: asked for, reviewed, followed, stopped, and read in two ways."""

from __future__ import annotations

import pytest
from django.test import Client

from host.simulated import SimulatedHost
from jobs import questions
from pools.benchmark.following import follow
from pools.benchmark.see import QUESTION
from tests.frontend.test_compression_pages import home
from tests.frontend.test_key_pages import decided, text

__all__ = ["home"]

HERE = "/benchmark/tank/"
ASKED = {"profile": "sequential", "record": "131072", "compression": "lz4", "clients": "4", "size": "1"}


def begun(home: Client, **changes: str) -> None:
    reviewed = home.post(HERE, ASKED | {"disks": "yes"} | changes)
    assert "The dataset tank/.nasweb-benchmark is created" in text(reviewed)
    assert decided(home, reviewed).state == "succeeded"
    questions.forget(QUESTION)


@pytest.mark.usefixtures("standing_clock")
def test_it_is_reviewed_followed_and_its_result_shown(home: Client, simulated: SimulatedHost) -> None:
    assert "This pool has never been measured." in text(home.get(HERE))
    begun(home)
    simulated.pass_time(10)
    disks = text(home.get(HERE))
    assert "alone, 17% done, about 50 s left" in disks and 'hx-trigger="tick from:body"' in disks
    assert 'name="profile"' not in disks
    simulated.pass_time(30)
    questions.forget(QUESTION)
    assert "Measuring: " in text(home.get(HERE))
    simulated.pass_time(60)
    questions.forget(QUESTION)
    assert follow(simulated) == 1
    after = text(home.get(f"{HERE}?part=figures", headers={"HX-Request": "true"}))
    assert "<html" not in after and "What the layout allows" in after and "Large files" in after
    assert "310 MB/s" in after and "The disks: they were busy for 94% of the time." in after
    assert "1.00 GiB in records of 128 KiB, compression lz4" in after
    pool = text(home.get("/pools/tank/"))
    assert f'href="{HERE}"' in pool
    assert "Large files: write 310 MB/s (" in pool and "% of what the layout allows), read 420 MB/s (" in pool


def test_a_second_one_is_held_against_the_first(home: Client, simulated: SimulatedHost) -> None:
    for _ in range(2):
        begun(home)
        simulated.pass_time(80)
        follow(simulated)
    questions.forget(QUESTION)
    assert text(home.get(HERE)).count("as before") == 2
    rows = home.get(f"{HERE}?format=csv").content.decode().splitlines()
    assert "over time" in text(home.get(HERE)) and 'aria-label="Write: 310 MB/s, 310 MB/s"' in text(
        home.get(HERE)
    )
    assert len(rows) == 5 and rows[0].startswith("finished,profile,record bytes")
    assert ",sequential,131072,lz4,4,1073741824,write,write,310000000," in rows[1]


def test_it_can_be_stopped(home: Client, simulated: SimulatedHost) -> None:
    begun(home)
    simulated.pass_time(5)
    assert home.post("/stop-benchmark/tank/").headers["Location"] == HERE
    questions.forget(QUESTION)
    assert "Stopped, started" in text(home.get(HERE))


def test_wrong_fields_are_named_and_what_was_typed_is_kept(home: Client) -> None:
    answer = home.post(HERE, ASKED | {"size": "99999", "clients": "many"})
    said = text(answer)
    assert answer.status_code == 422
    assert 'id="size-error"' in said or 'id="clients-error"' in said
    assert 'value="99999"' in said and 'value="many"' in said
    assert 'name="disks" value="yes">' in said  # it was not ticked


def test_there_is_no_page_of_a_pool_that_is_gone(home: Client) -> None:
    assert home.get("/benchmark/gone/").status_code == 404
