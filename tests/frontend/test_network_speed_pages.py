"""The page of how fast the network is."""

from __future__ import annotations

import pytest
from django.test import Client

from frontend.network_speed.view import _bits
from host.simulated import SimulatedHost
from jobs import cache, questions
from jobs.series.collecting import kernel_files
from machine.network_speed.following import follow
from machine.network_speed.see import QUESTION
from tests.frontend.test_key_pages import decided, text

HERE = "/network-speed/"


def kept(simulated: SimulatedHost) -> int:
    questions.forget(QUESTION)
    inventory = cache.current()
    assert inventory is not None
    return follow(simulated, inventory, kernel_files())


def test_a_click_measures_and_the_result_is_shown(browser: Client, simulated: SimulatedHost) -> None:
    assert "The network has never been measured." in text(browser.get(HERE))
    assert browser.post(HERE, {"host": "192.168.1.20"}).headers["Location"] == HERE
    simulated.pass_time(5)
    questions.forget(QUESTION)
    during = text(browser.get(HERE))
    assert "Sending to 192.168.1.20, about 15 s left" in during and 'name="host"' not in during
    simulated.pass_time(30)
    assert kept(simulated) == 1
    after = text(browser.get(f"{HERE}?part=figures", headers={"HX-Request": "true"}))
    assert "<html" not in after and "Through eno1, a link of 1 Gbit/s" in after
    assert after.count("941 Mbit/s") == 2 and "94%" in after
    assert f'href="{HERE}"' in text(browser.get("/settings/network/"))


def test_listening_is_reviewed_and_says_what_to_run(browser: Client, simulated: SimulatedHost) -> None:
    reviewed = browser.post(HERE, {"do": "listen"})
    assert "For 10 minutes any machine in the network" in text(reviewed)
    assert decided(browser, reviewed).state == "succeeded"
    questions.forget(QUESTION)
    during = text(browser.get(HERE))
    assert "iperf3 --client=192.168.1.10 --port=5201" in during
    assert browser.post("/stop-network-speed/").headers["Location"] == HERE
    assert kept(simulated) == 1
    assert "Nobody measured." in text(browser.get(HERE)) or "never been measured" in text(browser.get(HERE))


def test_wrong_fields_are_named(browser: Client) -> None:
    answer = browser.post(HERE, {"host": "localhost", "port": "x"})
    said = text(answer)
    assert answer.status_code == 422 and 'value="localhost"' in said and 'value="x"' in said
    assert 'id="port-error"' in said or 'id="host-error"' in said


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        (941e6, "941 Mbit/s"),
        (1e9, "1 Gbit/s"),
        (9.41e9, "9.41 Gbit/s"),
        (99.2e6, "99.2 Mbit/s"),
        (5, "5 bit/s"),
    ],
)
def test_rates_are_said_as_links_are_sold(bits: float, words: str) -> None:
    assert _bits(bits) == words
