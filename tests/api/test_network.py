"""`system/settings/` and `network/`."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from accounts.models import User
from host.commands.network import PENDING, UNDONE, ReconfigureInterface, network_file
from host.simulated import SimulatedHost
from tests.conftest import caller, refresh
from tests.shares.sharing import did, faults

URL = "/api/v1/network/"
ENO1 = f"{URL}interfaces/eno1/"
FIXED: dict[str, Any] = {
    "ipv4": {"method": "fixed", "addresses": ["192.168.1.20/24"], "gateway": "192.168.1.1"},
    "dns": ["192.168.1.1"],
}
OURS = network_file("52:54:00:6e:61:73")


def test_the_settings_are_told(api: APIClient) -> None:
    found = api.get("/api/v1/system/settings/").json()
    found.pop("as_of")
    assert found == {"name": "nas", "kept_name": "nas", "time_zone": "Etc/UTC", "clock_synchronized": True}


def test_name_and_time_zone_are_set(api: APIClient, simulated: SimulatedHost) -> None:
    did(api.put("/api/v1/system/settings/name/", {"name": "attic"}))
    did(api.put("/api/v1/system/settings/time-zone/", {"time_zone": "Europe/Berlin"}))
    found = api.get("/api/v1/system/settings/").json()
    assert (found["name"], found["time_zone"]) == ("attic", "Europe/Berlin")
    assert api.get("/api/v1/system/").json()["name"] == "attic"
    assert ["hostnamectl", "set-hostname", "--static", "attic"] in simulated.ran()


def test_interfaces_are_told_with_what_a_write_would_take(api: APIClient) -> None:
    first, second = api.get(URL).json()["interfaces"]
    assert (first["name"], first["manager"], first["why_not"]) == ("eno1", "networkd", None)
    assert first["addresses"][0] == {"address": "192.168.1.10", "prefix": 24, "origin": "automatic"}
    assert first["settings"]["ipv4"] == {"method": "automatic", "addresses": [], "gateway": ""}
    assert (second["carrier"], second["addresses"]) == (False, [])
    assert api.get(ENO1).json() == first


def test_a_change_is_kept_once_it_is_confirmed(api: APIClient, simulated: SimulatedHost) -> None:
    did(api.put(ENO1, FIXED))
    found = api.get(URL).json()
    assert found["pending"]["interface"] == "eno1"
    assert found["interfaces"][0]["settings"]["ipv4"] == FIXED["ipv4"]
    did(api.post(f"{URL}confirm/"))
    simulated.pass_time(120)
    refresh()
    found = api.get(URL).json()
    assert (found["pending"], found["undone"]) == (None, None)
    assert found["interfaces"][0]["addresses"][0]["address"] == "192.168.1.20"


def test_a_change_that_nobody_confirms_is_taken_back(api: APIClient, simulated: SimulatedHost) -> None:
    did(api.put(ENO1, FIXED))
    simulated.pass_time(61)
    refresh()
    found = api.get(URL).json()
    assert (found["pending"], found["undone"]["interface"]) == (None, "eno1")
    assert found["interfaces"][0]["addresses"][0]["address"] == "192.168.1.10"
    assert faults(api.post(f"{URL}confirm/")) == {("", "nothing-pending")}


def test_a_start_of_the_machine_takes_it_back_too(api: APIClient, simulated: SimulatedHost) -> None:
    did(api.put(ENO1, FIXED))
    did(api.post(f"{URL}confirm/"))
    did(api.put(ENO1, FIXED | {"dns": ["9.9.9.9"]}))
    simulated.restart_network()
    files = simulated.machine().files
    assert "DNS=192.168.1.1\n" in files[OURS]
    assert (PENDING in files, UNDONE in files) == (False, True)


def test_the_next_change_forgets_that_one_was_taken_back(api: APIClient, simulated: SimulatedHost) -> None:
    did(api.put(ENO1, FIXED))
    did(api.post(f"{URL}revert/"))
    assert api.get(URL).json()["undone"]["interface"] == "eno1"
    did(api.put(ENO1, FIXED))
    assert api.get(URL).json()["undone"] is None


def test_one_change_at_a_time(api: APIClient) -> None:
    did(api.put(ENO1, FIXED))
    assert faults(api.put(ENO1, FIXED | {"dns": ["9.9.9.9"]})) == {("", "unconfirmed")}


def test_what_networkd_refuses_is_taken_back_at_once(api: APIClient, simulated: SimulatedHost) -> None:
    simulated.fail_next(ReconfigureInterface, stderr="Failed to reconfigure network interface eno1.\n")
    job = api.put(ENO1, FIXED).json()
    assert job["state"] == "failed"
    files = simulated.machine().files
    assert (OURS in files, PENDING in files) == (False, False)


def test_a_dry_run_shows_the_file_and_changes_nothing(api: APIClient, simulated: SimulatedHost) -> None:
    plan = api.put(f"{ENO1}?dry_run=true", FIXED).json()
    assert "+Address=192.168.1.20/24" in plan["steps"][0]["changes"][0]["diff"]
    assert ["systemctl", "restart", "nasweb-network-rollback.timer"] in plan["steps"][1]["commands"]
    assert OURS not in simulated.machine().files


def test_an_unknown_interface_is_not_found(api: APIClient) -> None:
    assert api.get(f"{URL}interfaces/eno9/").status_code == 404
    assert api.put(f"{URL}interfaces/eno9/", FIXED).status_code == 404


def test_it_needs_the_scopes_of_the_system(api: APIClient, admin: User) -> None:
    reader = caller(admin, "system:read")
    assert reader.get(URL).status_code == 200
    assert reader.put(ENO1, FIXED).status_code == 403
    assert reader.post(f"{URL}confirm/").status_code == 403
    assert caller(admin, "pools:read").get(URL).status_code == 403
