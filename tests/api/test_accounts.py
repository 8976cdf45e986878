"""`accounts/`: who may sign in. The last admin is kept, and nobody gives away more than they have."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import people, tokens
from accounts.models import User
from accounts.roles import SCOPES, Role
from host.simulated import SimulatedHost
from jobs.models import AuditEvent
from jobs.plan import Refused
from tests.conftest import caller

ALL = "/api/v1/accounts/"


def made(api: APIClient, username: str = "anna", role: str = "operator") -> dict[str, Any]:
    answer = api.post(ALL, {"username": username, "role": role})
    assert answer.status_code == 201, answer.json()
    found: dict[str, Any] = answer.json()
    return found


def codes(answer: Any) -> list[tuple[str, str]]:
    assert answer.status_code == 422, answer.content
    return [(one["code"], one["field"]) for one in answer.json()["findings"]]


def test_a_new_account_signs_in_with_the_password_that_is_shown_once(api: APIClient) -> None:
    answer = api.post(ALL, {"username": "anna", "role": "operator"})
    new = answer.json()
    address = f"{ALL}{new['id']}/"
    assert answer.headers["Location"] == address
    assert Client().login(username="anna", password=new["password"])
    shown = api.get(address).json()
    assert shown == {key: value for key, value in new.items() if key != "password"}
    assert (shown["role"], shown["active"], shown["second_factor"], shown["tokens"]) == (
        "operator", True, False, 0,
    )  # fmt: skip
    assert new["password"] not in api.get(ALL).content.decode()
    assert new["password"] not in str(list(AuditEvent.objects.values()))


def test_a_dry_run_makes_none(api: APIClient) -> None:
    answer = api.post(f"{ALL}?dry_run=true", {"username": "anna"})
    assert (answer.status_code, answer.json()) == (
        200,
        {"username": "anna", "role": "viewer", "active": True},
    )
    assert not User.objects.filter(username="anna").exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [({"username": "admin"}, "username"), ({"username": "a b"}, "username"), ({"username": ""}, "username"),
     ({"username": "Admin"}, "username"),
     ({"username": "anna", "role": "owner"}, "role"), ({"username": "anna", "password": "x"}, "password")],
)  # fmt: skip
def test_what_makes_no_account_is_refused_by_its_field(
    api: APIClient, body: dict[str, str], field: str
) -> None:
    assert [one for _, one in codes(api.post(ALL, body))] == [field]


def test_the_last_admin_is_kept(api: APIClient, admin: User) -> None:
    address = f"{ALL}{admin.pk}/"
    assert codes(api.patch(address, {"role": "viewer"})) == [("last-admin", "role")]
    assert codes(api.patch(address, {"active": False})) == [("own-account", "active")]
    assert codes(api.delete(address)) == [("own-account", "")]
    assert codes(api.post(f"{address}reset/", {})) == [("own-account", "")]
    other = made(api, "ben", "admin")
    assert api.patch(address, {"role": "viewer"}).json()["role"] == "viewer"
    ben = caller(User.objects.get(pk=other["id"]), *SCOPES)
    assert codes(ben.patch(f"{ALL}{other['id']}/", {"role": "operator"})) == [("last-admin", "role")]


def test_an_admin_who_is_switched_off_is_no_last_one(api: APIClient, admin: User) -> None:
    User.objects.create_user("ben", "another good one", role=Role.ADMIN)
    User.objects.filter(username="ben").update(is_active=False)
    assert codes(api.patch(f"{ALL}{admin.pk}/?dry_run=true", {"role": "viewer"})) == [("last-admin", "role")]


def test_an_admin_whose_password_nobody_has_is_no_last_one(api: APIClient, admin: User) -> None:
    User.objects.create_user("ben", None, role=Role.ADMIN)
    assert codes(api.patch(f"{ALL}{admin.pk}/", {"role": "viewer"})) == [("last-admin", "role")]


def test_two_admins_who_step_down_at_once_leave_one(
    api: APIClient, admin: User, in_threads: Callable[..., list[Any]]
) -> None:
    ben = User.objects.get(pk=made(api, "ben", "admin")["id"])
    calls = [caller(user, *SCOPES) for user in (admin, ben)]
    answers = in_threads(
        *(
            lambda one=one, user=user: one.patch(f"{ALL}{user.pk}/", {"role": "viewer"}).status_code
            for one, user in zip(calls, (admin, ben), strict=True)
        )
    )
    assert sorted(answers) == [200, 422]


def test_a_switched_off_account_is_out_at_once(api: APIClient) -> None:
    new = made(api)
    browser, user = Client(), User.objects.get(pk=new["id"])
    assert browser.login(username="anna", password=new["password"])
    script = caller(user, "pools:read")
    assert api.patch(f"{ALL}{user.pk}/", {"active": False}).json()["active"] is False
    assert browser.get("/").status_code == 302
    assert script.get("/api/v1/pools/").status_code == 401
    assert not Client().login(username="anna", password=new["password"])
    api.patch(f"{ALL}{user.pk}/", {"active": True})
    assert Client().login(username="anna", password=new["password"])


def test_two_who_make_one_account_at_once_make_one(
    api: APIClient, in_threads: Callable[..., list[Any]]
) -> None:
    answers = in_threads(*(lambda: api.post(ALL, {"username": "anna"}).status_code for _ in range(2)))
    assert sorted(answers) == [201, 422]


def test_a_password_is_kept_by_nobody_on_the_way(api: APIClient) -> None:
    new = api.post(ALL, {"username": "anna"})
    again = api.post(f"{new.headers['Location']}reset/", {})
    assert [answer.headers["Cache-Control"] for answer in (new, again)] == ["no-store", "no-store"]


def test_whoever_became_an_admin_meanwhile_is_not_reset(api: APIClient, admin: User) -> None:
    made(api)
    seen = User.objects.get(username="anna")
    api.patch(f"{ALL}{seen.pk}/", {"role": "admin"})
    before = User.objects.get(pk=seen.pk).password
    for act in (people.reset, people.delete):
        with pytest.raises(Refused) as refused:
            act(admin.username, seen)
        assert [one.code for one in refused.value.findings] == ["changed-meanwhile"]
    assert User.objects.get(pk=seen.pk).password == before


@pytest.mark.parametrize("act", ["reset", "delete"])
def test_a_sign_in_that_waits_for_the_second_factor_ends_too(api: APIClient, act: str) -> None:
    new = made(api)
    user = User.objects.get(pk=new["id"])
    TOTP.activate(user, "JBSWY3DPEHPK3PXP")
    browser = Client()
    sent = {"login": "anna", "password": new["password"]}
    assert browser.post("/accounts/login/", sent)["Location"] == "/accounts/2fa/authenticate/"
    assert browser.get("/accounts/login/").status_code == 302
    done = api.post(f"{ALL}{user.pk}/reset/", {}) if act == "reset" else api.delete(f"{ALL}{user.pk}/")
    assert done.status_code in {201, 204}
    assert browser.get("/accounts/login/").status_code == 200


def test_tokens_that_work_are_counted(api: APIClient) -> None:
    user = User.objects.get(pk=made(api)["id"])
    tokens.create(name="lasts", scopes=["pools:read"], user=user)
    past = timezone.now() - timedelta(days=1)
    tokens.create(name="ended", scopes=["pools:read"], user=user, expires=past)
    assert api.get(f"{ALL}{user.pk}/").json()["tokens"] == 1
    assert api.patch(f"{ALL}{user.pk}/", {"active": False}).json()["tokens"] == 0


def test_a_reset_ends_password_factor_and_sessions(api: APIClient) -> None:
    new = made(api)
    user = User.objects.get(pk=new["id"])
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={})
    browser = Client()
    browser.login(username="anna", password=new["password"])
    assert api.get(f"{ALL}{user.pk}/").json()["second_factor"] is True
    assert api.post(f"{ALL}{user.pk}/reset/?dry_run=true", {}).status_code == 200
    again = api.post(f"{ALL}{user.pk}/reset/", {}).json()
    assert again["second_factor"] is False
    assert browser.get("/").status_code == 302
    assert not Client().login(username="anna", password=new["password"])
    assert Client().login(username="anna", password=again["password"])


def test_a_deleted_account_takes_its_tokens_along(api: APIClient) -> None:
    new = made(api)
    script = caller(User.objects.get(pk=new["id"]), "pools:read")
    address = f"{ALL}{new['id']}/"
    assert api.delete(f"{address}?dry_run=true").json()["tokens"] == 1
    assert api.delete(address).status_code == 204
    assert script.get("/api/v1/pools/").status_code == 401
    assert api.get(address).status_code == 404
    events = AuditEvent.objects.filter(action__startswith="account.").values_list("action", flat=True)
    assert sorted(events) == ["account.create", "account.delete"]


def test_a_token_for_accounts_alone_makes_no_admin(simulated: SimulatedHost, admin: User) -> None:
    limited = caller(admin, "users:read", "users:write")
    other = User.objects.create_user("ben", "another good one", role=Role.OPERATOR)
    assert codes(limited.post(ALL, {"username": "eve", "role": "admin"})) == [("not-your-role", "role")]
    assert codes(limited.post(f"{ALL}{other.pk}/reset/", {})) == [("not-your-role", "role")]
    assert codes(limited.patch(f"{ALL}{other.pk}/", {"role": "viewer"})) == [("not-your-role", "role")]
    assert User.objects.count() == 2


@pytest.mark.parametrize("role", [Role.VIEWER, Role.OPERATOR])
def test_others_than_admins_only_read(simulated: SimulatedHost, role: Role) -> None:
    user = User.objects.create_user("anna", "another good one", role=role)
    _, text = tokens.create(name="t", scopes=SCOPES, user=user)
    client = APIClient(headers={"authorization": f"Bearer {text}"})
    assert client.get(ALL).status_code == 200
    assert client.post(ALL, {"username": "eve"}).status_code == 403
    assert client.delete(f"{ALL}{user.pk}/").status_code == 403
