"""A disk that udev has no lasting name for: new a second ago, or of a virtual machine without a serial."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from host.simulated import SimulatedHost
from tests.conftest import refresh


@pytest.fixture
def nameless(simulated: SimulatedHost) -> str:
    """Its kernel name."""
    with simulated.change() as machine:
        disk = next(disk for disk in machine.disks if disk.kname == "sda")
        disk.ids.clear()
        disk.serial, disk.wwn = "", None
    refresh()
    return "sda"


def test_the_lists_lead_to_its_page_which_says_why_it_is_of_no_use(browser: Client, nameless: str) -> None:
    page = browser.get(f"/disks/{nameless}/")
    text = page.content.decode()
    assert page.status_code == 200
    assert "no name under /dev/disk/by-id" in text
    assert "It can join a pool as it is" not in text


def test_so_does_that_of_one_in_use(browser: Client, simulated: SimulatedHost, nameless: str) -> None:
    simulated.occupy(nameless, "mounted-ext4")
    refresh()
    text = browser.get(f"/disks/{nameless}/").content.decode()
    assert "no name under /dev/disk/by-id" in text and "must be released" not in text


def test_no_label_is_made_of_a_name_that_does_not_last(browser: Client, nameless: str) -> None:
    assert browser.get(f"/disks/{nameless}/label/").status_code == 404
    text = browser.get(f"/disks/{nameless}/").content.decode()
    assert f"/disks/{nameless}/label/" not in text
    assert "data-chart=" not in text  # series go by what lasts: there is none


def test_it_cannot_be_picked_and_the_reason_is_there(browser: Client, nameless: str) -> None:
    text = browser.get("/create/pool/").content.decode()
    assert "no lasting name" in text


def test_the_api_shows_it_and_does_nothing_with_it(api: APIClient, nameless: str) -> None:
    assert nameless in {disk["id"] for disk in api.get("/api/v1/disks/").json()["results"]}
    shown = api.get(f"/api/v1/disks/{nameless}/")
    assert (shown.status_code, shown.json()["id"]) == (200, nameless)
    vdev = {"role": "data", "layout": "stripe", "disks": [nameless]}
    refused = api.post("/api/v1/pools/?dry_run=true", {"name": "tank", "vdevs": [vdev]})
    assert refused.status_code == 422
    assert "no name under /dev/disk/by-id" in refused.json()["findings"][0]["message"]
    burned = api.post(f"/api/v1/disks/{nameless}/burn-in/", {"serial": "x"})
    assert burned.status_code == 422 and "no name under /dev/disk/by-id" in burned.json()["detail"]
