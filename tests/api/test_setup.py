"""Claiming the machine over the API, and how far it is set up."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts import setup
from accounts.models import User
from accounts.roles import Role
from host.simulated import SimulatedHost
from jobs.models import AuditEvent
from machine.first_boot import state
from tests.conftest import caller

SETUP, FIRST_BOOT = "/api/v1/setup/", "/api/v1/system/first-boot/"
GOOD = {"username": "ada", "password": "correct horse battery"}


def post(body: dict[str, Any], *, query: str = "", address: str = "10.0.0.1", **headers: str) -> Any:
    """What somebody gets who has not signed in."""
    return Client().post(
        SETUP + query, body, content_type="application/json", REMOTE_ADDR=address, headers=headers
    )


def test_a_stranger_learns_whether_it_is_claimed_and_nothing_else(db: None) -> None:
    assert Client().get(SETUP).json() == {"claimed": False}
    setup.create_first("ada", GOOD["password"])
    assert Client().get(SETUP).json() == {"claimed": True}


def test_the_code_makes_the_first_account_once(db: None) -> None:
    body = GOOD | {"code": setup.issue_for_screen()}
    answer = post(body)
    assert (answer.status_code, answer.json()) == (201, {"username": "ada", "role": "admin"})
    again = post(body | {"username": "eve"})
    assert (again.status_code, again.json()["findings"][0]["code"]) == (422, "claimed")
    assert list(User.objects.values_list("username", flat=True)) == ["ada"]


def test_once_it_is_claimed_no_body_is_read(db: None) -> None:
    setup.create_first("ada", GOOD["password"])
    answer = Client().post(SETUP, b"{", content_type="application/json")
    assert (answer.status_code, answer.json()["findings"][0]["code"]) == (422, "claimed")


def test_a_dry_run_makes_nothing_and_leaves_the_code_valid(db: None) -> None:
    body = GOOD | {"code": setup.issue_for_screen()}
    assert post(body, query="?dry_run=true").json() == {"claimed": False}
    assert not User.objects.exists()
    assert post(body).status_code == 201


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"code": "AAAA-AAAA-AAAA"}, "code", "wrong-code"),
        ({"username": "a b"}, "username", "bad-username"),
        ({"password": "short"}, "password", "bad-password"),
        ({"code": ""}, "code", "invalid"),
        ({"role": "admin"}, "role", "unknown-field"),
    ],
)
def test_what_is_wrong_is_told_by_its_field(db: None, changes: dict[str, str], field: str, code: str) -> None:
    answer = post(GOOD | {"code": setup.issue_for_screen()} | changes)
    assert answer.status_code == 422
    (finding,) = answer.json()["findings"]
    assert (finding["field"], finding["code"]) == (field, code)
    assert not User.objects.exists()


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
def test_guesses_are_limited_for_pages_and_scripts_together(db: None, query: str) -> None:
    code = setup.issue_for_screen()
    for _ in range(5):
        assert post(GOOD | {"code": "guess"}, query=query).status_code == 422
        form = GOOD | {"code": "guess", "again": GOOD["password"]}
        assert Client().post("/setup/", form, REMOTE_ADDR="10.0.0.1").status_code == 422
    late = post(GOOD | {"code": code})
    assert (late.status_code, late.headers["Retry-After"]) == (429, "60")
    assert late.json()["type"] == "/api/v1/problems/too-many-guesses"
    forged = post(GOOD | {"code": code}, **{"x-forwarded-for": "10.0.0.9"})
    assert forged.status_code == 429
    assert post(GOOD | {"code": code}, address="10.0.0.2").status_code == 201


def test_neither_code_nor_password_is_written_down(db: None, caplog: pytest.LogCaptureFixture) -> None:
    code = setup.issue_for_screen()
    answers = [post(GOOD | {"code": code}), post(GOOD | {"code": code})]
    kept = str(list(AuditEvent.objects.values())) + caplog.text + str([one.content for one in answers])
    assert code not in kept and code.replace("-", "") not in kept and GOOD["password"] not in kept


def test_the_steps_are_told_with_their_states(api: APIClient) -> None:
    answer = api.get(FIRST_BOOT).json()
    states = {one["step"]: one["state"] for one in answer["steps"]}
    assert (states["account"], states["boot"], states["pool"], states["share"]) == (
        "done",
        "done",
        "open",
        "waits",
    )
    assert (answer["left"], answer["next"], answer["finished"]) == (6, "name", False)


def test_steps_are_put_off_and_taken_up_again(api: APIClient) -> None:
    answer = api.patch(FIRST_BOOT, {"steps": {"pool": "later", "network": "settled"}}).json()
    states = {one["step"]: (one["state"], one["said"]) for one in answer["steps"]}
    assert states["pool"] == ("later", "later") and states["network"] == ("done", "settled")
    assert states["share"] == ("later", None)
    answer = api.patch(FIRST_BOOT, {"steps": {"pool": None}}).json()
    assert {one["step"]: one["state"] for one in answer["steps"]}["pool"] == "open"


def test_a_dry_run_shows_how_it_would_be(api: APIClient) -> None:
    body = {"steps": {"pool": "later"}, "finished": True}
    shown = api.patch(f"{FIRST_BOOT}?dry_run=true", body).json()
    assert state.load() == state.FirstBootState()
    assert api.patch(FIRST_BOOT, body).json() | {"as_of": ""} == shown | {"as_of": ""}
    assert shown["finished"] is True


def test_a_pool_cannot_be_talked_into_being_there(api: APIClient) -> None:
    answer = api.patch(FIRST_BOOT, {"steps": {"pool": "settled", "name": "later"}})
    assert answer.status_code == 422
    assert [one["field"] for one in answer.json()["findings"]] == ["steps.pool"]
    assert state.load().decisions == {}


@pytest.mark.parametrize(
    "body", [{"steps": {"moon": "later"}}, {"steps": {"pool": "never"}}, {"steps": 7}, []]
)
def test_nonsense_is_refused(api: APIClient, body: Any) -> None:
    assert api.patch(FIRST_BOOT, body).status_code == 422


def test_it_is_for_those_who_may(simulated: SimulatedHost, admin: User) -> None:
    assert Client().get(FIRST_BOOT).status_code == 401
    viewer = caller(User.objects.create_user("vera", role=Role.VIEWER), "system:read", "system:write")
    assert viewer.get(FIRST_BOOT).status_code == 200
    assert viewer.patch(FIRST_BOOT, {"finished": True}).status_code == 403
