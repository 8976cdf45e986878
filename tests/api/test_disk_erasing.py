"""Disks that are erased: by a burn-in, and so that they can be used again."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import Role
from disks import tasks
from host.simulated import SimulatedHost
from tests.api.test_disks import codes, disks, done
from tests.conftest import caller

__all__ = ["disks"]


def test_a_burn_in_needs_digest_serial_and_the_right_to_destroy(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    address, body = f"/api/v1/disks/{disks[0]['id']}/burn-in/", {"serial": disks[0]["serial"]}
    operator = caller(
        User.objects.create_user("op", "correct horse battery", role=Role.OPERATOR),
        "disks:read",
        "disks:write",
    )
    assert operator.post(address, body).status_code == 403
    assert codes(api.post(address, {"serial": "other"})) == ["wrong-serial"]
    problem = api.post(address, body)
    assert problem.status_code == 409 and problem.json()["type"].endswith("/confirmation-required")
    assert simulated.ran() == []
    done(api.post(address, body | {"digest": problem.json()["plan"]["digest"]}))
    assert codes(api.post(address, body)) == ["disk-in-use"]
    done(api.delete(address, {}))
    tasks.follow()
    assert api.get(f"/api/v1/disks/{disks[0]['id']}/").json()["burn_in"]["verdict"] == "stopped"
    assert codes(api.delete(address, {})) == ["no-burn-in"]


def test_a_disk_of_an_exported_pool_is_erased_and_free(
    simulated: SimulatedHost, api: APIClient, disks: list[dict[str, Any]]
) -> None:
    vdevs = [{"role": "data", "layout": "mirror", "disks": [disk["id"] for disk in disks[:2]]}]
    done(api.post("/api/v1/pools/", {"name": "old", "vdevs": vdevs}))
    address, body = f"/api/v1/disks/{disks[0]['id']}/wipe/", {"serial": disks[0]["serial"]}
    assert codes(api.post(address, body)) == ["disk-in-use"]
    done(api.post("/api/v1/pools/old/export/", {}))
    problem = api.post(address, body)
    assert problem.status_code == 409 and problem.json()["type"].endswith("/confirmation-required")
    done(api.post(address, body | {"digest": problem.json()["plan"]["digest"]}))
    disk = api.get(f"/api/v1/disks/{disks[0]['id']}/").json()
    assert (disk["used_by"], disk["in_use"]) == (None, False)
    story = api.get(f"/api/v1/disks/{disks[0]['id']}/story/").json()["results"]
    assert any(line["words"] == "Erased; it held exported pool old" for line in story)
    assert codes(api.post(address, body)) == ["nothing-there"]
