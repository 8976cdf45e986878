"""`users/` and `groups/` on a simulated machine, from the first person to the last."""

from __future__ import annotations

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import User
from host.commands.shares.accounts import SetSambaExpiry, SetSambaPassword
from host.simulated import SimulatedHost
from jobs import cache
from tests.conftest import refresh
from tests.prepared import made_once

PASSWORD, OTHER = "marker pass word 1", "marker pass word 2"


def send(api: APIClient, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """A real write with the digest of its dry run; the job is over when it answers."""
    call = getattr(api, method)
    dry = call(f"/api/v1/{path}?dry_run=true", body or {})
    assert PASSWORD not in dry.content.decode()
    if dry.status_code != 200:
        return dry
    answer = call(f"/api/v1/{path}", (body or {}) | {"digest": dry.json()["digest"]})
    assert PASSWORD not in answer.content.decode()
    refresh()
    return answer


def done(answer: Any) -> dict[str, Any]:
    assert answer.status_code == 202, answer.json()
    job: dict[str, Any] = answer.json()
    assert job["state"] == "succeeded", job
    return job


def codes(answer: Any) -> set[tuple[str, str]]:
    assert answer.status_code == 422, answer.json()
    return {(finding["code"], finding["field"]) for finding in answer.json()["findings"]}


@pytest.fixture
@made_once
def family(api: APIClient) -> APIClient:
    """A machine with the group `family`, and with anna in it, who has a password."""
    done(send(api, "post", "groups/", {"name": "family"}))
    done(
        send(
            api,
            "post",
            "users/",
            {"name": "anna", "full_name": "Anna B.", "groups": ["family"], "password": PASSWORD},
        )
    )
    return api


def anna(api: APIClient) -> dict[str, Any]:
    found: dict[str, Any] = api.get("/api/v1/users/anna/").json()
    return found


def test_a_person_is_made_and_read(family: APIClient, simulated: SimulatedHost) -> None:
    person = anna(family)
    assert person.pop("as_of") is not None
    assert person == {
        "name": "anna", "uid": 30_000, "full_name": "Anna B.", "groups": ["family"], "password": True,
        "disabled": False, "expires": None,
    }  # fmt: skip
    assert simulated.knows_password("anna", PASSWORD)
    group = family.get("/api/v1/groups/family/").json()
    assert (group["gid"], group["members"]) == (35_000, ["anna"])


def test_people_come_a_page_at_a_time(family: APIClient) -> None:
    for name in ("zoe", "bert"):
        done(send(family, "post", "users/", {"name": name}))
    first = family.get("/api/v1/users/?limit=2").json()
    assert [one["name"] for one in first["results"]] == ["anna", "bert"]
    assert [one["password"] for one in first["results"]] == [True, False]
    assert [one["name"] for one in family.get(first["next"]).json()["results"]] == ["zoe"]
    assert [one["uid"] for one in family.get("/api/v1/users/").json()["results"]] == [30_000, 30_002, 30_001]


def test_a_person_is_changed(family: APIClient, simulated: SimulatedHost) -> None:
    done(send(family, "post", "groups/", {"name": "crew", "members": ["anna"]}))
    body = {"full_name": "Anna C.", "groups": ["crew"], "disabled": True, "expires": "2031-05-01"}
    done(send(family, "patch", "users/anna/", body))
    assert {key: anna(family)[key] for key in body} == body
    assert not simulated.knows_password("anna", PASSWORD)
    done(send(family, "patch", "users/anna/", {"disabled": False, "expires": None}))
    assert (anna(family)["disabled"], anna(family)["expires"]) == (False, None)
    assert codes(send(family, "patch", "users/anna/", {"disabled": False})) == {("nothing-changes", "")}


def test_another_password_keeps_somebody_disabled(family: APIClient, simulated: SimulatedHost) -> None:
    done(send(family, "patch", "users/anna/", {"disabled": True}))
    done(send(family, "post", "users/anna/password/", {"password": OTHER}))
    assert anna(family)["disabled"]
    done(send(family, "patch", "users/anna/", {"disabled": False}))
    assert (simulated.knows_password("anna", OTHER), simulated.knows_password("anna", PASSWORD)) == (
        True, False,
    )  # fmt: skip


def test_deleting_needs_the_digest_of_what_was_shown(family: APIClient, simulated: SimulatedHost) -> None:
    for path in ("users/anna/", "groups/family/"):
        refused = family.delete(f"/api/v1/{path}")
        assert (refused.status_code, refused.json()["type"].rpartition("/")[2]) == (
            409, "confirmation-required",
        )  # fmt: skip
        done(send(family, "delete", path))
        assert family.get(f"/api/v1/{path}").status_code == 404
    assert (simulated.machine().known_to_samba, simulated.machine().people) == ({}, {})


def test_members_of_a_group_are_replaced(family: APIClient) -> None:
    done(send(family, "post", "users/", {"name": "bert"}))
    done(send(family, "patch", "groups/family/", {"members": ["bert"]}))
    assert family.get("/api/v1/groups/").json()["results"][0]["members"] == ["bert"]
    assert anna(family)["groups"] == []


def test_what_is_wrong_is_reported_at_once(family: APIClient) -> None:
    body = {"name": "anna", "full_name": "a:b", "groups": ["none"], "password": "short"}
    assert codes(send(family, "post", "users/", body)) == {
        ("name-taken", "name"), ("bad-full-name", "full_name"), ("unknown-group", "groups[0]"),
        ("invalid", "password"),
    }  # fmt: skip
    found = codes(send(family, "post", "users/", body | {"expires": "soon"}))
    assert {field for _, field in found} == {"password", "expires"}
    found = codes(send(family, "post", "users/", {"name": "anna", "groups": ["none"]}))
    assert found == {("name-taken", "name"), ("unknown-group", "groups[0]"), ("no-password", "password")}
    assert codes(send(family, "post", "users/anna/password/", {})) == {("required", "password")}


@pytest.mark.parametrize("path", ["users/zoe/", "users/root/", "groups/users/", "groups/none/"])
def test_what_is_not_there_is_404(api: APIClient, path: str) -> None:
    assert api.get(f"/api/v1/{path}").status_code == 404
    assert api.patch(f"/api/v1/{path}", {"members": []}).status_code == 404
    assert api.delete(f"/api/v1/{path}").status_code == 404


def test_a_person_whose_password_is_not_taken_is_not_left_behind(
    api: APIClient, simulated: SimulatedHost
) -> None:
    simulated.fail_next(SetSambaPassword, stderr="Failed to add entry for user anna.\n")
    job = send(api, "post", "users/", {"name": "anna", "password": PASSWORD}).json()
    assert job["state"] == "failed"
    simulated.fail_next(SetSambaExpiry, stderr="Unable to modify entry!\n", exit_status=255)
    assert send(api, "post", "users/", {"name": "anna", "password": PASSWORD}).json()["state"] == "failed"
    assert (simulated.machine().people, simulated.machine().known_to_samba) == ({}, {})


def test_a_machine_without_samba_says_that_it_does_not_know(
    family: APIClient, simulated: SimulatedHost
) -> None:
    simulated.lose_samba()
    refresh()
    assert (anna(family)["password"], anna(family)["disabled"]) == (None, None)
    assert codes(send(family, "post", "users/anna/password/", {"password": OTHER})) == {
        ("no-samba", "password")
    }  # fmt: skip


def test_reading_and_writing_need_their_scopes(family: APIClient, admin: User) -> None:
    reader = APIClient()
    reader.credentials(
        HTTP_AUTHORIZATION=f"Bearer {tokens.create(name='r', scopes=['shares:read'], user=admin)[1]}"
    )
    assert reader.get("/api/v1/users/").status_code == 200
    assert reader.post("/api/v1/users/", {"name": "x"}, format="json").status_code == 403
    stranger = APIClient()
    stranger.credentials(
        HTTP_AUTHORIZATION=f"Bearer {tokens.create(name='s', scopes=['users:read'], user=admin)[1]}"
    )
    assert stranger.get("/api/v1/groups/").status_code == 403


def test_numbers_of_who_was_deleted_last_stay_theirs(family: APIClient) -> None:
    def numbers() -> dict[str, int]:
        inventory = cache.current()
        assert inventory is not None
        accounts = inventory.accounts
        return {one.name: one.uid for one in accounts.people} | {one.name: one.gid for one in accounts.groups}

    first = numbers()
    done(send(family, "delete", "users/anna/"))
    done(send(family, "delete", "groups/family/"))
    done(send(family, "post", "users/", {"name": "bert"}))
    done(send(family, "post", "groups/", {"name": "crew"}))
    assert numbers() == {"bert": first["anna"] + 1, "crew": first["family"] + 1}
