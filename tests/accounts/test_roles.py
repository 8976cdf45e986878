"""What each role may do, alone and through a token."""

from __future__ import annotations

import pytest

from accounts import tokens
from accounts.actor import TokenActor
from accounts.models import User
from accounts.roles import AREAS, SCOPES, Role, may, may_destroy

pytestmark = pytest.mark.django_db


def account(role: str, *, active: bool = True) -> User:
    return User(username=role, role=role, is_active=active)


@pytest.mark.parametrize("area", AREAS)
def test_a_viewer_sees_all_but_files_and_changes_nothing(area: str) -> None:
    viewer = account(Role.VIEWER)
    assert may(viewer, f"{area}:read") is (area != "files")  # people's files are no state of the machine
    assert not may(viewer, f"{area}:write")


def test_an_operator_does_all_but_users_and_destroying() -> None:
    operator = account(Role.OPERATOR)
    assert [scope for scope in SCOPES if not may(operator, scope)] == ["users:write"]
    assert not may_destroy(operator)


def test_an_admin_does_everything() -> None:
    admin = account(Role.ADMIN)
    assert all(may(admin, scope) for scope in SCOPES)
    assert may_destroy(admin)


@pytest.mark.parametrize("user", [account(Role.ADMIN, active=False), account("janitor")])
def test_a_closed_account_and_an_unknown_role_may_nothing(user: User) -> None:
    assert not any(may(user, scope) for scope in SCOPES)
    assert not may_destroy(user)


def test_an_admin_may_nothing_that_is_no_scope() -> None:
    assert not may(account(Role.ADMIN), "pools:paint")


def test_a_token_may_what_both_its_scopes_and_its_owners_role_allow() -> None:
    viewer = User.objects.create_user("eve", "x", role=Role.VIEWER)
    token, _ = tokens.create(name="t", scopes=["pools:write", "pools:read", "jobs:read"], user=viewer)
    actor = TokenActor(token)
    assert [scope for scope in SCOPES if may(actor, scope)] == ["pools:read", "jobs:read"]
    assert actor.get_username() == "eve"


def test_a_token_destroys_only_for_an_admin() -> None:
    for role, expected in ((Role.ADMIN, True), (Role.OPERATOR, False)):
        owner = User.objects.create_user(role, "x", role=role)
        token, _ = tokens.create(name="t", scopes=["pools:write"], user=owner)
        assert may_destroy(TokenActor(token)) is expected
