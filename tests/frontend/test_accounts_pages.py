"""The pages of the console's accounts."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import Token, User
from accounts.roles import Role

LIST = "/settings/accounts/"


@pytest.fixture
def anna(browser: Client) -> User:
    browser.post(LIST, {"username": "anna", "role": "operator"})
    return User.objects.get(username="anna")


def test_an_account_is_made_and_its_password_shown_once(browser: Client) -> None:
    answer = browser.post(LIST, {"username": "anna", "role": "viewer"})
    (password,) = re.findall(r"<code>([^<]+)</code>", answer.text)
    assert "no-store" in answer["Cache-Control"]
    assert Client().login(username="anna", password=password)
    assert password not in browser.get(LIST).text and "anna" in browser.get(LIST).text


@pytest.mark.parametrize(
    ("sent", "field"), [({"username": "", "role": "viewer"}, "username"), ({"username": "anna"}, "role")]
)
def test_what_is_wrong_is_told_beside_its_field(browser: Client, sent: dict[str, str], field: str) -> None:
    answer = browser.post(LIST, sent)
    assert (answer.status_code, list(answer.context["errors"].by_field)) == (422, [field])
    assert User.objects.count() == 1


def test_an_account_is_changed_reset_and_deleted(browser: Client, anna: User) -> None:
    address = f"{LIST}{anna.pk}/"
    assert "anna is admin now" in browser.post(address, {"do": "role", "role": "admin"}, follow=True).text
    assert "disabled" in browser.post(address, {"do": "off"}, follow=True).text
    assert "enabled" in browser.post(address, {"do": "on"}, follow=True).text
    (password,) = re.findall(r"<code>([^<]+)</code>", browser.post(address, {"do": "reset"}).text)
    assert Client().login(username="anna", password=password)
    token, _ = tokens.create(name="script", scopes=["pools:read"], user=anna)
    shown = browser.get(address).text
    assert "script" in shown and 'data-column="Expires"' in shown
    assert "Tokens keep working" in browser.post(address, {"do": "reset"}).text
    browser.post(address, {"do": "revoke", "token": str(token.pk)})
    assert Token.objects.get().revoked is not None
    assert browser.post(address, {"do": "delete"})["Location"] == LIST
    assert browser.get(address).status_code == 404


def test_the_last_admin_stays_and_is_told_why(browser: Client) -> None:
    me = User.objects.get()
    address = f"{LIST}{me.pk}/"
    answer = browser.post(address, {"do": "role", "role": "viewer"})
    assert answer.status_code == 422 and "the last admin" in answer.text
    assert "This is your account" in browser.get(address).text
    for do in ("off", "reset", "delete"):
        assert browser.post(address, {"do": do}).status_code == 422
    me.refresh_from_db()
    assert (me.role, me.is_active) == (Role.ADMIN, True)


@pytest.mark.parametrize("sent", [{}, {"do": "paint"}, {"do": "role", "role": "owner"}])
def test_what_is_nothing_is_refused(browser: Client, anna: User, sent: dict[str, str]) -> None:
    assert browser.post(f"{LIST}{anna.pk}/", sent).status_code == 400


def test_others_see_and_cannot_change(viewer: Client, admin: User) -> None:
    assert "Only admins can change accounts." in viewer.get(LIST).text
    assert viewer.post(LIST, {"username": "eve", "role": "admin"}).status_code == 403
    assert viewer.post(f"{LIST}{admin.pk}/", {"do": "off"}).status_code == 403
    assert viewer.get(f"{LIST}99999/").status_code == 404
    assert viewer.get(f"{LIST}99999999999999999999/").status_code == 404
