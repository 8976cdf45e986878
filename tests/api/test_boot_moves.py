"""Adopting a pair, and moving a system onto one, through the API."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES
from host.simulated import SimulatedHost
from jobs.models import Job
from tests.conftest import caller, refresh

HERE = "/api/v1/boot/"
WAIT = {"Prefer": "wait=10"}


@pytest.fixture
def plain(single: SimulatedHost, admin: User) -> APIClient:
    """Calls the API on it."""
    return caller(admin, *SCOPES)


def confirmed(api: APIClient, path: str, wish: dict[str, Any]) -> Any:
    """The answer to a write whose plan was read first."""
    plan = api.post(f"{path}?dry_run=true", wish, format="json").json()
    return api.post(path, wish | {"digest": plan["digest"]}, format="json", headers=WAIT)


def test_a_pair_of_ours_is_adopted(api: APIClient) -> None:
    report = api.get(f"{HERE}adopt/").json()
    assert (report["adopted"], report["possible"]) == (True, True)
    assert {trait["state"] for trait in report["traits"]} == {"good", "warning"}
    again = api.post(f"{HERE}adopt/", {}, format="json")
    assert (again.status_code, again.json()["findings"][-1]["code"]) == (422, "adopted")


def test_a_pair_without_boot_loaders_of_ours_gets_them(api: APIClient, simulated: SimulatedHost) -> None:
    with simulated._store.change() as machine:
        machine.loaders = []
    refresh()
    assert api.get(f"{HERE}adopt/").json()["adopted"] is False
    done = api.post(f"{HERE}adopt/", {}, format="json", headers=WAIT)
    assert (done.status_code, done.json()["state"]) == (202, "succeeded")
    refresh()
    assert api.get(f"{HERE}adopt/").json()["adopted"] is True


def test_a_pair_is_not_converted(api: APIClient) -> None:
    report = api.get(f"{HERE}convert/").json()
    assert (report["runs_from"], report["copy"], report["candidates"]) == (None, None, [])
    refused = api.post(f"{HERE}convert/", {"disk": "x"}, format="json")
    assert (refused.status_code, refused.json()["findings"][0]["code"]) == (422, "already-md")


def test_a_system_moves_from_one_stick_to_two(plain: APIClient, single: SimulatedHost) -> None:
    report = plain.get(f"{HERE}convert/").json()
    first, second = report["runs_from"]["disk"], report["candidates"][0]
    assert (report["runs_from"]["mountpoints"], report["runs_from"]["used_bytes"]) == (["/"], 2_411_724_800)
    begun = plain.post(f"{HERE}convert/", {"disk": second}, format="json", headers=WAIT)
    assert (begun.status_code, begun.json()["state"]) == (202, "succeeded")
    refresh()
    copy = plain.get(f"{HERE}convert/").json()["copy"]
    assert (copy["state"], copy["running"], copy["here"], copy["disk"]) == ("copying", True, True, second)
    early = plain.post(f"{HERE}convert/restart/", {}, format="json")
    assert (early.status_code, early.json()["findings"][0]["code"]) == (422, "copy-goes-on")
    single.pass_time(61)
    refresh()
    copy = plain.get(f"{HERE}convert/").json()["copy"]
    assert (copy["state"], copy["done_bytes"]) == ("copied", copy["total_bytes"])
    restarted = plain.post(f"{HERE}convert/restart/", {}, format="json", headers=WAIT)
    assert (restarted.status_code, restarted.json()["state"]) == (202, "succeeded")
    single.pass_time(21)
    refresh()
    pair = plain.get(HERE).json()
    assert (pair["pair"], [half["disk"] for half in pair["halves"]]) == (True, [second])
    assert confirmed(plain, f"{HERE}add/", {"disk": first}).json()["state"] == "succeeded"
    single.pass_time(3600)
    refresh()
    assert plain.get(HERE).json()["complete"] is True


def test_a_copy_is_given_up_after_its_loss_was_read(plain: APIClient, single: SimulatedHost) -> None:
    second = plain.get(f"{HERE}convert/").json()["candidates"][0]
    plain.post(f"{HERE}convert/", {"disk": second}, format="json", headers=WAIT)
    refresh()
    unread = plain.post(f"{HERE}convert/leave/", {}, format="json")
    assert (unread.status_code, unread.json()["type"].rpartition("/")[2]) == (409, "confirmation-required")
    assert confirmed(plain, f"{HERE}convert/leave/", {}).json()["state"] == "succeeded"
    refresh()
    report = plain.get(f"{HERE}convert/").json()
    assert (report["copy"], report["candidates"][0]) == (None, second)
    assert Job.objects.latest("pk").operation == "boot.convert-leave"
