"""Swap, and where the system keeps its state, on their pages."""

from __future__ import annotations

from django.test import Client

from host.commands.datasets.zfs import ZfsCreate
from host.commands.system.moved_state import dataset_of
from host.simulated import SimulatedHost
from host.system.own_datasets import NOBODYS, SYSTEMS
from tests.conftest import refresh
from tests.frontend.conftest import make_tank
from tests.frontend.test_key_pages import text


def test_the_page_of_swap_tells_what_is_used_and_plans_another_kind(browser: Client) -> None:
    page = text(browser.get("/boot/swap/"))
    assert "Array 1 (raid0)" in page
    assert "(now)" not in page  # somebody else set it up
    plan = text(browser.post("/boot/swap/", {"kind": "zram"}, follow=True))
    assert "Set up swap" in plan
    assert "/etc/systemd/zram-generator.conf" in plan


def test_what_stands_in_the_way_is_said(browser: Client, simulated: SimulatedHost) -> None:
    simulated.lose_zram()
    refresh()
    page = text(browser.post("/boot/swap/", {"kind": "zram"}, follow=True))
    assert "sudo apt install systemd-zram-generator" in page


def test_without_a_pool_the_state_stays_here(browser: Client) -> None:
    page = text(browser.get("/boot/state/"))
    assert "/var and /home are on the system disk." in page
    assert "No pool" in page


def test_the_pair_leads_to_both(browser: Client) -> None:
    page = browser.get("/boot/").content.decode()
    assert 'href="/boot/swap/"' in page
    assert 'href="/boot/state/"' in page


def test_what_an_earlier_move_left_is_named_and_can_be_destroyed(
    browser: Client, simulated: SimulatedHost
) -> None:
    make_tank(browser)
    refresh()
    simulated.run(ZfsCreate(name=dataset_of("tank"), properties=NOBODYS))
    simulated.run(ZfsCreate(name=dataset_of("tank", "home"), properties=SYSTEMS))
    refresh()
    page = text(browser.get("/boot/state/"))
    assert "Left on tank" in page
    assert "sudo mount -t zfs -o ro tank/.nasweb-state/home /mnt" in page
    plan = text(browser.post("/boot/state/", {"do": "discard", "pool": "tank"}, follow=True))
    assert "Destroy the copies that an earlier move left on tank" in plan
    assert "/home of an earlier move" in plan
