"""Who is connected, through the API."""

from __future__ import annotations

from rest_framework.test import APIClient

from accounts.models import User
from host.simulated import SimulatedHost
from tests.conftest import caller

HERE = "/api/v1/shares/sessions/"


def connect(simulated: SimulatedHost) -> str:
    return simulated.connect(
        person="ada", uid=30000, share="home", folder="/mnt/tank/home", files={"a.txt": "rw"}
    )


def test_nobody_is_connected(api: APIClient) -> None:
    assert api.get(HERE).json() == {"results": [], "more": 0}


def test_an_nfs_client_tells_what_the_kernel_knows(api: APIClient, simulated: SimulatedHost) -> None:
    simulated.connect(protocol="nfs", name="lab", files={"tank/b": "r"})
    (found,) = api.get(HERE).json()["results"]
    assert (found["protocol"], found["machine"], found["person"], found["encrypted"]) == (
        "nfs", "lab", None, None,
    )  # fmt: skip
    assert found["files"] == [{"path": "tank/b", "mode": "read", "since": None}]


def test_a_client_is_disconnected_after_its_loss_was_read(api: APIClient, simulated: SimulatedHost) -> None:
    session = connect(simulated)
    (found,) = api.get(HERE).json()["results"]
    assert (found["id"], found["person"], found["shares"], found["signed"]) == (
        session, "ada", ["home"], False,
    )  # fmt: skip
    assert found["files"][0]["path"] == "/mnt/tank/home/a.txt"
    unread = api.delete(f"{HERE}{session}/")
    assert (unread.status_code, unread.json()["type"].rpartition("/")[2]) == (409, "confirmation-required")
    plan = api.delete(f"{HERE}{session}/?dry_run=true").json()
    assert plan["steps"][0]["destroys"][0]["session"] == "ada at 10.0.2.2 (SMB)"
    done = api.delete(f"{HERE}{session}/", {"digest": plan["digest"]})
    assert (done.status_code, done.json()["state"]) == (202, "succeeded")
    assert simulated.machine().clients == []


def test_a_session_that_is_gone_is_refused(api: APIClient) -> None:
    answer = api.delete(f"{HERE}smb-17/")
    assert (answer.status_code, answer.json()["findings"][0]["code"]) == (422, "unknown-session")
    assert api.delete(f"{HERE}1;reboot/").status_code == 422


def test_scopes(simulated: SimulatedHost, admin: User) -> None:
    session = connect(simulated)
    assert caller(admin, "pools:read").get(HERE).status_code == 403
    reader = caller(admin, "shares:read")
    (found,) = reader.get(HERE).json()["results"]
    assert (found["files"], found["more_files"]) == ([], 1)  # which ones takes the scope files:read
    assert reader.delete(f"{HERE}{session}/").status_code == 403
