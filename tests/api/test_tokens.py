"""`tokens/`: shown once, never more than its maker may do."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Token, User
from host.simulated import SimulatedHost
from jobs.models import AuditEvent
from tests.conftest import caller

ASK = {"name": "backup", "scopes": ["pools:read"]}


def test_a_new_token_works_and_is_shown_once(api: APIClient) -> None:
    answer = api.post("/api/v1/tokens/", ASK)
    made = answer.json()
    assert (answer.status_code, answer.headers["Location"]) == (201, f"/api/v1/tokens/{made['id']}/")
    script = APIClient(headers={"authorization": f"Bearer {made['token']}"})
    assert script.get("/api/v1/pools/").status_code == 200
    assert script.get("/api/v1/disks/").status_code == 403
    shown = api.get(answer.headers["Location"]).json()
    assert shown["last_used_at"] is not None
    assert shown | {"last_used_at": None} == {key: made[key] for key in made if key != "token"}
    assert made["token"].encode() not in api.get("/api/v1/tokens/").content


def test_a_revoked_token_ends_at_once(api: APIClient) -> None:
    made = api.post("/api/v1/tokens/", ASK).json()
    assert api.delete(f"/api/v1/tokens/{made['id']}/").status_code == 204
    script = APIClient(headers={"authorization": f"Bearer {made['token']}"})
    assert script.get("/api/v1/pools/").status_code == 401
    assert api.get(f"/api/v1/tokens/{made['id']}/").status_code == 404
    assert api.delete(f"/api/v1/tokens/{made['id']}/").status_code == 404
    assert made["id"] not in [token["id"] for token in api.get("/api/v1/tokens/").json()["results"]]


def test_a_dry_run_shows_the_token_that_would_be_made_and_makes_none(api: APIClient) -> None:
    before = api.get("/api/v1/tokens/").json()
    events = AuditEvent.objects.count()
    ask = ASK | {
        "scopes": ["pools:write", "pools:read", "pools:read"],
        "expires_at": "2999-01-01T02:00:00+02:00",
    }
    answer = api.post("/api/v1/tokens/?dry_run=true", ask)
    assert (answer.status_code, answer.json()) == (
        200,
        {
            "name": "backup",
            "scopes": ["pools:read", "pools:write"],
            "owner": "admin",
            "expires_at": "2999-01-01T02:00:00+02:00",
        },
    )
    assert (api.get("/api/v1/tokens/").json(), AuditEvent.objects.count()) == (before, events)
    made = api.post("/api/v1/tokens/", ask).json()
    assert {key: made[key] for key in answer.json()} == answer.json()


def test_a_dry_run_of_revoking_shows_the_token_and_leaves_it(api: APIClient) -> None:
    made = api.post("/api/v1/tokens/", ASK).json()
    address = f"/api/v1/tokens/{made['id']}/"
    shown = api.get(address).json()
    answer = api.delete(f"{address}?dry_run=true")
    assert (answer.status_code, answer.json()) == (200, shown)
    script = APIClient(headers={"authorization": f"Bearer {made['token']}"})
    assert script.get("/api/v1/pools/").status_code == 200
    assert api.delete(f"{address}?dry_run=maybe").status_code == 422
    assert api.delete(address).status_code == 204
    assert api.delete(f"{address}?dry_run=true").status_code == 404


def test_nobody_gives_a_scope_away_that_they_do_not_have(simulated: SimulatedHost, admin: User) -> None:
    limited = caller(admin, "users:write", "users:read")
    answer = limited.post("/api/v1/tokens/", {"name": "t", "scopes": ["users:read", "pools:write"]})
    assert answer.status_code == 422
    (finding,) = answer.json()["findings"]
    assert (finding["code"], finding["field"]) == ("not-your-scope", "scopes[1]")


def test_a_token_that_ends_makes_none_that_ends_later(api: APIClient) -> None:
    scopes = ["users:read", "users:write"]
    now = timezone.now()
    ends, later = ((now + timedelta(days=days)).isoformat() for days in (1, 2))
    made = api.post("/api/v1/tokens/", {"name": "t", "scopes": scopes, "expires_at": ends}).json()
    script = APIClient(headers={"authorization": f"Bearer {made['token']}"})
    for change in ({}, {"expires_at": later}):
        answer = script.post("/api/v1/tokens/", {"name": "x", "scopes": scopes} | change, "json")
        assert answer.status_code == 422, answer.json()
        (finding,) = answer.json()["findings"]
        assert (answer.status_code, finding["code"], finding["field"]) == (422, "ends-later", "expires_at")
    good = {"name": "x", "scopes": scopes, "expires_at": ends}
    assert script.post("/api/v1/tokens/", good, "json").status_code == 201


def test_a_token_ends_when_it_was_told_to(api: APIClient) -> None:
    tomorrow = (timezone.now() + timedelta(days=1)).isoformat()
    made = api.post("/api/v1/tokens/", ASK | {"expires_at": tomorrow}).json()
    assert made["expires_at"] == tomorrow
    token = Token.objects.get(pk=made["id"])
    token.expires = timezone.now() - timedelta(seconds=1)
    token.save()
    script = APIClient(headers={"authorization": f"Bearer {made['token']}"})
    assert script.get("/api/v1/pools/").status_code == 401


@pytest.mark.parametrize("query", ["", "?dry_run=true"])
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"scopes": []}, "scopes"),
        ({"scopes": ["pools:paint"]}, "scopes[0]"),
        ({"scopes": "pools:read"}, "scopes"),
        ({"name": ""}, "name"),
        ({"name": "  "}, "name"),
        ({"name": "a\x00b"}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"expires_at": "tomorrow"}, "expires_at"),
        ({"expires_at": "2020-01-01T00:00:00Z"}, "expires_at"),
        ({"expires_at": "2999-01-01T00:00:00"}, "expires_at"),
        ({"expires_at": "9999-12-31T23:59:59-10:00"}, "expires_at"),
        ({"expires_at": "0001-01-01T00:00:00+10:00"}, "expires_at"),
        ({"token": "nas_mine"}, "token"),
    ],
)
def test_what_makes_no_sense_is_refused(
    api: APIClient, change: dict[str, Any], field: str, query: str
) -> None:
    answer = api.post(f"/api/v1/tokens/{query}", ASK | change)
    assert answer.status_code == 422
    assert answer.json()["findings"][0]["field"] == field
