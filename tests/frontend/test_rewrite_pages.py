"""The page of a dataset that is written anew."""

from __future__ import annotations

from django.test import Client

from host.commands.datasets.zfs import ZfsSet
from host.simulated import SimulatedHost
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.frontend.test_key_pages import decided, text


def test_blocks_that_are_stored_twice_from_now_on_take_twice_the_room(
    browser: Client, simulated: SimulatedHost
) -> None:
    make_tank(browser)
    made = browser.post("/create/dataset/", {"kind": "filesystem", "parent": "tank", "leaf": "home"})
    assert decided(browser, made).state == "succeeded"
    simulated.write("tank/home", 300 << 20)
    simulated.run(ZfsSet(name="tank/home", properties={"copies": "2"}))
    refresh()
    written = text(browser.get("/rewrite/tank/home/")).partition("To be written")[2]
    assert ">600 MiB</data>, with snapshots" in written[:110]
