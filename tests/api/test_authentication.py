"""Who may call the API, and what those get who may not."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import User
from accounts.roles import SCOPES, Role
from host.simulated import SimulatedHost
from tests.conftest import caller

PROBLEM = "application/problem+json"


@pytest.mark.parametrize(
    "credentials",
    [None, "Bearer", "Bearer nas_wrong", "Basic YWRtaW46YWRtaW4=", "nas_wrong", "Bearer " + "x" * 8000],
)
@pytest.mark.parametrize("path", ["system/", "pools/", "tokens/", "nowhere/"])
def test_no_or_bad_credentials_get_401(simulated: SimulatedHost, credentials: str | None, path: str) -> None:
    headers = {} if credentials is None else {"authorization": credentials}
    answer = Client().get(f"/api/v1/{path}", headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (401, PROBLEM)
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="nasweb"'
    assert answer.json()["status"] == 401


def test_an_expired_or_revoked_token_gets_401(simulated: SimulatedHost, admin: User) -> None:
    past = timezone.now() - timedelta(seconds=1)
    _, expired = tokens.create(name="t", scopes=SCOPES, user=admin, expires=past)
    token, revoked = tokens.create(name="t", scopes=SCOPES, user=admin)
    tokens.revoke(token)
    for plaintext in (expired, revoked):
        answer = Client().get("/api/v1/disks/", headers={"authorization": f"Bearer {plaintext}"})
        assert answer.status_code == 401


def test_a_missing_scope_gets_403_that_names_it(simulated: SimulatedHost, admin: User) -> None:
    answer = caller(admin, "disks:read").get("/api/v1/pools/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (403, PROBLEM)
    assert "pools:read" in answer.json()["detail"]
    answer = caller(admin, "pools:read").post("/api/v1/pools/", {})
    assert answer.status_code == 403 and "pools:write" in answer.json()["detail"]


def test_a_role_limits_its_tokens(simulated: SimulatedHost) -> None:
    viewer = caller(User.objects.create_user("eve", "x", role=Role.VIEWER), *SCOPES)
    assert viewer.get("/api/v1/pools/").status_code == 200
    assert viewer.post("/api/v1/pools/", {}).status_code == 403
    assert viewer.post("/api/v1/inventory/refresh/").status_code == 202  # looking changes nothing


def test_an_operator_may_not_destroy(api: APIClient, free_disks: list[str]) -> None:
    body = {"name": "tank", "vdevs": [{"layout": "mirror", "disks": free_disks[:2]}]}
    assert api.post("/api/v1/pools/", body).status_code == 202
    operator = caller(User.objects.create_user("olga", "x", role=Role.OPERATOR), *SCOPES)
    assert operator.delete("/api/v1/pools/tank/?dry_run=true").status_code == 403
    assert operator.delete("/api/v1/pools/tank/").status_code == 403
    assert api.get("/api/v1/pools/tank/").json()["state"] == "ONLINE"


def test_only_an_admin_has_something_mounted_elsewhere(
    api: APIClient, admin: User, free_disks: list[str]
) -> None:
    body = {"name": "tank", "vdevs": [{"layout": "mirror", "disks": free_disks[:2]}]}
    assert api.post("/api/v1/pools/", body).status_code == 202
    elsewhere = {"name": "tank/anna", "properties": {"mountpoint": "/home/anna"}}
    for limited in (
        caller(User.objects.create_user("olga", "x", role=Role.OPERATOR), *SCOPES),
        caller(admin, "pools:read", "pools:write", "jobs:read"),
    ):
        answer = limited.post("/api/v1/datasets/", elsewhere)
        assert answer.status_code == 403
        assert "tank/anna would be mounted at /home/anna" in answer.json()["detail"]
        assert limited.post("/api/v1/datasets/?dry_run=true", elsewhere).status_code == 403
    assert api.get("/api/v1/datasets/tank/anna/").status_code == 404
    assert api.post("/api/v1/datasets/", elsewhere).status_code == 202


def test_a_browser_session_reads(simulated: SimulatedHost, admin: User, client: Client) -> None:
    client.force_login(admin)
    assert client.get("/api/v1/disks/").status_code == 200


def test_a_browser_session_writes_only_with_its_csrf_token(simulated: SimulatedHost, admin: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(admin)
    answer = browser.post("/api/v1/inventory/refresh/", content_type="application/json")
    assert (answer.status_code, answer.headers["Content-Type"]) == (403, PROBLEM)


def test_the_description_of_the_api_is_open(db: None) -> None:
    assert Client().get("/api/v1/schema/").status_code == 200
    assert Client().get("/api/v1/docs/").status_code == 200
