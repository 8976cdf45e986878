"""Swap, and where the system keeps its state, through the API."""

from __future__ import annotations

from rest_framework.test import APIClient

from host.probe.whole import probe
from host.simulated import SimulatedHost
from host.simulated.system.moved_state import COPY_S
from jobs.models import Job
from tests.conftest import refresh

SWAP, STATE = "/api/v1/boot/swap/", "/api/v1/boot/state/"
WAIT = {"Prefer": "wait=10"}


def test_swap_is_told_and_chosen(api: APIClient) -> None:
    report = api.get(SWAP).json()
    assert (report["kind"], report["zram_installed"]) == ("other", True)
    assert [space["path"] for space in report["spaces"]] == ["/dev/md1"]
    done = api.post(SWAP, {"kind": "zram"}, format="json", headers=WAIT)
    assert done.status_code == 202, done.json()
    assert Job.objects.get(pk=done.json()["id"]).state == "succeeded"
    refresh()
    assert api.get(SWAP).json()["kind"] == "zram"


def test_there_are_three_kinds_of_swap(api: APIClient) -> None:
    refused = api.post(SWAP, {"kind": "file"}, format="json")
    assert (refused.status_code, refused.json()["findings"][0]["field"]) == (422, "kind")
    no_room = api.post(SWAP, {"kind": "raid0"}, format="json")
    assert "no-room" in {finding["code"] for finding in no_room.json()["findings"]}


def test_the_state_lies_here_until_it_is_moved(api: APIClient, simulated: SimulatedHost) -> None:
    report = api.get(STATE).json()
    assert (report["phase"], report["pool"], report["here"], report["falls_back"]) == (
        "none",
        None,
        True,
        False,
    )
    refused = api.post(f"{STATE}return/", {}, format="json")
    assert [finding["code"] for finding in refused.json()["findings"]] == ["not-moved"]
    unknown = api.post(f"{STATE}move/", {"pool": "tank"}, format="json")
    assert [finding["code"] for finding in unknown.json()["findings"]] == ["unknown-pool"]
    odd = api.post(f"{STATE}move/", {"pool": "tank", "folders": ["etc"]}, format="json")
    assert (odd.status_code, odd.json()["findings"][0]["field"]) == (422, "folders[0]")
    disks = [disk.id for disk in probe(simulated).disks if disk.free][:2]
    vdevs = [{"role": "data", "layout": "mirror", "disks": disks}]
    made = api.post("/api/v1/pools/", {"name": "tank", "vdevs": vdevs}, format="json", headers=WAIT)
    assert made.status_code == 202, made.json()
    refresh()
    moved = api.post(f"{STATE}move/", {"pool": "tank"}, format="json", headers=WAIT)
    assert moved.status_code == 202, moved.json()
    refresh()
    assert api.get(STATE).json()["phase"] == "copying"
    simulated.pass_time(COPY_S + 1)
    simulated.restart_state()
    refresh()
    report = api.get(STATE).json()
    assert (report["phase"], report["pool"], report["here"]) == ("moved", "tank", False)
    gone = api.post("/api/v1/pools/tank/export/", {}, format="json")
    assert [finding["code"] for finding in gone.json()["findings"] if finding["level"] == "error"] == [
        "system-state"
    ]
