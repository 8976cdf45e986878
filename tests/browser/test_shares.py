"""Shares in a real browser, from nothing to a share that is served."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from host.simulated import SimulatedHost
from tests.browser.conftest import Complaints, make_people, make_share, make_tank

pytestmark = pytest.mark.browser


def test_a_folder_is_shared_from_nothing_and_told_how_to_connect(
    signed_in: Callable[..., Page], simulated: SimulatedHost, complaints: Complaints
) -> None:
    page = signed_in()
    make_tank()
    make_people(page)
    page.goto("/shares/")
    page.get_by_role("main").get_by_role("link", name="Share a folder").click()
    expect(page.get_by_label("Size for Time Machine")).to_be_hidden()
    page.get_by_label("Name of the folder").fill("backups")
    page.get_by_label("Name of the share").fill("Backups of Macs")
    page.get_by_role("radio", name="Time Machine").check()
    page.get_by_label("Size for Time Machine").fill("1.5")
    page.get_by_label("Unit of the size").select_option("TiB")
    page.get_by_role("button", name="Review changes").click()
    expect(page.get_by_role("alert")).to_contain_text("select who may write")
    expect(page.get_by_label("Size for Time Machine")).to_have_value("1.5")
    page.get_by_role("radiogroup", name="family").get_by_label("read and write").check()
    page.get_by_role("button", name="Review changes").click()
    page.get_by_role("button", name="Create tank/backups and share it as Backups of Macs").click()
    page.get_by_role("link", name="Connect to Backups of Macs").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Backups of Macs")
    expect(page.get_by_text("served", exact=True)).to_be_visible()
    expect(page.get_by_text("smb://nas.local/Backups%20of%20Macs", exact=True).first).to_be_visible()
    said = simulated.machine().samba
    assert "[Backups of Macs]\n    path = /mnt/tank/backups\n" in said
    assert "fruit:time machine max size = 1536G" in said
    page.get_by_role("link", name="Shares").first.click()
    row = page.get_by_role("row", name="Backups of Macs")
    expect(row).to_contain_text("family writes")
    expect(row).to_contain_text("served")
    assert complaints == []


@pytest.mark.parametrize("scripts", [True, False])
def test_clients_of_an_export_come_and_go(signed_in: Callable[..., Page], scripts: bool) -> None:
    maker = signed_in()
    make_tank()
    make_people(maker)
    make_share(maker)
    page = maker if scripts else signed_in(java_script_enabled=False)
    page.goto("/shares/")
    page.get_by_role("link", name="/mnt/tank/films").click()
    hosts = page.get_by_label("Host, address or network")
    expect(hosts).to_have_count(2)
    hosts.nth(1).fill("pc1")
    page.get_by_role("button", name="Add client").click()
    expect(hosts).to_have_count(3)
    expect(hosts.nth(1)).to_have_value("pc1")
    page.get_by_role("button", name="Remove client 1").click()
    expect(hosts).to_have_count(2)
    expect(hosts.first).to_have_value("pc1")
    hosts.first.press("Enter")
    page.get_by_role("heading", name="Change an export").wait_for()
