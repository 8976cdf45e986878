"""The first account, signing in, and tokens."""

from __future__ import annotations

import pytest
from django.test import Client

from nasweb.accounts import setup, tokens
from nasweb.accounts.models import Token, User

GOOD = {"username": "ada", "password": "correct horse battery", "again": "correct horse battery"}


def test_the_link_makes_the_first_account_and_signs_it_in(db: None) -> None:
    client = Client()
    address = f"/setup/{setup.issue()}/"
    assert client.get(address).status_code == 200
    assert client.post(address, GOOD)["Location"] == "/"
    assert client.get("/").status_code == 200
    assert User.objects.get().role == "admin"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"again": "other"}, "again"),
        ({"username": ""}, "username"),
        ({"username": "a b"}, "username"),
        ({"password": "short", "again": "short"}, "password"),
        ({"password": "", "again": ""}, "password"),
    ],
)
def test_what_is_wrong_with_the_account_is_told_beside_its_field(
    db: None, changes: dict[str, str], field: str
) -> None:
    answer = Client().post(f"/setup/{setup.issue()}/", GOOD | changes)
    assert answer.status_code == 422
    assert list(answer.context["errors"].by_field) == [field]
    assert not User.objects.exists()


def test_the_link_works_once(db: None) -> None:
    address = f"/setup/{setup.issue()}/"
    Client().post(address, GOOD)
    answer = Client().post(address, GOOD | {"username": "eve"})
    assert answer.status_code == 422
    assert "This link is not valid any more" in answer.content.decode()
    assert Client().get(address).status_code == 404
    assert User.objects.count() == 1


def test_a_password_signs_in_and_a_wrong_one_keeps_the_name(admin: User) -> None:
    client = Client()
    wrong = client.post("/accounts/login/", {"login": "admin", "password": "wrong"})
    assert 'value="admin"' in wrong.content.decode()
    assert 'role="alert"' in wrong.content.decode()
    right = client.post("/accounts/login/", {"login": "admin", "password": "correct horse battery"})
    assert right["Location"] == "/"


def test_a_token_is_shown_once_and_works(browser: Client) -> None:
    answer = browser.post("/settings/tokens/", {"name": "script", "scopes": ["pools:read"]})
    secret = answer.context["secret"]
    assert secret in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    assert tokens.recognise(secret) == Token.objects.get()
    assert secret not in browser.get("/settings/").content.decode()


def test_a_token_needs_a_name_and_a_scope(browser: Client) -> None:
    answer = browser.post("/settings/tokens/", {})
    assert set(answer.context["errors"].by_field) == {"name", "scopes"}
    assert not Token.objects.exists()


def test_a_token_may_not_do_more_than_its_owner(viewer: Client) -> None:
    answer = viewer.post("/settings/tokens/", {"name": "x", "scopes": ["pools:write"]})
    assert answer.status_code == 422
    assert not Token.objects.exists()


def test_a_revoked_token_leaves_the_list_and_works_no_more(browser: Client) -> None:
    secret = browser.post("/settings/tokens/", {"name": "x", "scopes": ["pools:read"]}).context["secret"]
    browser.post(f"/settings/tokens/{Token.objects.get().pk}/revoke/")
    assert tokens.recognise(secret) is None
    assert list(browser.get("/settings/").context["tokens"]) == []


def test_nobody_revokes_the_token_of_another(browser: Client, viewer: Client) -> None:
    browser.post("/settings/tokens/", {"name": "x", "scopes": ["pools:read"]})
    assert viewer.post(f"/settings/tokens/{Token.objects.get().pk}/revoke/").status_code == 404
