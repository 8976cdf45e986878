"""`configuration/` by the API."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from accounts.roles import SCOPES, Role
from host.simulated import SimulatedHost
from jobs.models import AuditEvent
from machine.backup.places import folders
from tests.conftest import caller
from tests.machine.backup.bench import names, pool
from tests.prepared import made_once

ALL = "/api/v1/configuration/"


@pytest.fixture
@made_once
def kept(api: APIClient, simulated: SimulatedHost) -> str:
    """The name of a copy on tank."""
    pool(api)
    made = api.post(f"{ALL}copies/", {}, headers={"Prefer": "wait=10"})
    assert (made.status_code, made.json()["state"]) == (202, "succeeded"), made.json()
    return names(simulated)[0]


def body(answer: Any) -> bytes:
    return b"".join(answer.streaming_content)


def test_each_pool_says_how_it_stands(api: APIClient, kept: str) -> None:
    report = api.get(f"{ALL}copies/").json()
    assert (report["enabled"], report["secrets"], report["last_restore"]) == (True, False, None)
    (tank,) = report["results"]
    assert (tank["pool"], tank["current"], tank["why_not"], tank["problem"]) == ("tank", True, None, None)
    assert tank["checked_at"]
    (copy,) = tank["copies"]
    assert (copy["name"], copy["ours"], copy["fits"], copy["secrets"]) == (kept, True, True, False)


def test_a_pool_without_copies_says_that_too(api: APIClient, simulated: SimulatedHost) -> None:
    pool(api)
    (tank,) = api.get(f"{ALL}copies/").json()["results"]
    assert (tank["current"], tank["checked_at"], tank["copies"]) == (False, None, [])


def test_one_copy_is_read_whole(api: APIClient, kept: str) -> None:
    report = api.get(f"{ALL}copies/tank/{kept}/").json()
    assert report["copy"]["name"] == kept
    assert (report["people"], report["groups"]) == ([], [])
    other = kept.replace("-00000001-", "-00000009-")
    for address in (f"tank/{other}", f"nowhere/{kept}", "tank/nothing"):
        assert api.get(f"{ALL}copies/{address}/").status_code == 404


def test_a_copy_is_downloaded_and_sent_again_to_be_restored(api: APIClient, kept: str) -> None:
    answer = api.get(f"{ALL}copies/tank/{kept}/download/")
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="{kept}"'
    data = body(answer)
    assert int(answer["Content-Length"]) == len(data)
    assert AuditEvent.objects.filter(action="configuration.download", subject=f"tank: {kept}").exists()
    sent = api.post(f"{ALL}uploads/", data, content_type="application/octet-stream")
    assert sent.status_code == 201, sent.json()
    plan = api.post(f"{ALL}restore/?dry_run=true", {"upload": sent.json()["upload"]})
    assert plan.status_code == 200, plan.json()
    assert plan.json()["steps"][0]["commands"][0][-1] == f"--upload={sent.json()['upload']}"


@pytest.mark.parametrize("data", [b"", b"hello", b"\x1f\x8b" + bytes(100)])
def test_what_is_no_copy_is_not_kept(api: APIClient, data: bytes) -> None:
    sent = api.post(f"{ALL}uploads/", data, content_type="application/octet-stream")
    assert (sent.status_code, sent.json()["findings"][0]["code"]) == (422, "no-copy")
    assert list(folders().uploads.iterdir()) == []


def test_a_restore_must_have_been_read(api: APIClient, kept: str) -> None:
    asked = {"pool": "tank"}
    assert api.post(f"{ALL}restore/", asked).json()["type"].endswith("/confirmation-required")
    digest = api.post(f"{ALL}restore/?dry_run=true", asked).json()["digest"]
    done = api.post(f"{ALL}restore/", asked | {"digest": digest}, headers={"Prefer": "wait=10"})
    assert (done.status_code, done.json()["state"]) == (202, "succeeded"), done.json()


@pytest.mark.parametrize(
    "asked", [{}, {"pool": "tank", "upload": "ab" * 16}, {"pool": "nowhere"}, {"upload": "ab" * 16}]
)
def test_a_restore_of_nothing_is_refused(api: APIClient, kept: str, asked: dict[str, str]) -> None:
    assert api.post(f"{ALL}restore/?dry_run=true", asked).status_code == 422


def test_what_is_kept_is_for_an_admin_to_decide(api: APIClient) -> None:
    assert api.get(f"{ALL}settings/").json() == {"enabled": True, "secrets": False}
    assert api.patch(f"{ALL}settings/", {"secrets": True}).status_code == 202
    assert api.get(f"{ALL}settings/").json() == {"enabled": True, "secrets": True}


@pytest.mark.parametrize("scopes", [("users:write",), ("system:write",), ("users:write", "system:read")])
def test_a_token_holds_no_copy_without_both_scopes(
    api: APIClient, admin: User, kept: str, scopes: tuple[str, ...]
) -> None:
    limited = caller(admin, *scopes)
    assert limited.get(f"{ALL}copies/tank/{kept}/download/").status_code == 403
    assert limited.post(f"{ALL}uploads/", b"", content_type="application/octet-stream").status_code == 403
    both = caller(admin, "users:write", "system:write")
    assert both.get(f"{ALL}copies/tank/{kept}/download/").status_code == 200


def test_others_than_admins_see_copies_and_make_them_but_hold_none(api: APIClient, kept: str) -> None:
    user = User.objects.create_user("op", "correct horse battery", role=Role.OPERATOR)
    operator = caller(user, *(scope for scope in SCOPES if scope != "users:write"))
    assert operator.get(f"{ALL}copies/").status_code == 200
    assert operator.post(f"{ALL}copies/?dry_run=true", {}).status_code == 200
    assert operator.patch(f"{ALL}settings/?dry_run=true", {"secrets": True}).status_code == 403
    assert operator.get(f"{ALL}copies/tank/{kept}/download/").status_code == 403
    assert operator.post(f"{ALL}uploads/", b"", content_type="application/octet-stream").status_code == 403
    assert operator.post(f"{ALL}restore/?dry_run=true", {"pool": "tank"}).status_code == 403
