"""`manage.py setup` and `manage.py token`, as scripts use them."""

from __future__ import annotations

import io
import sys

import pytest
from django.core.management import CommandError, call_command

from nasweb.accounts import setup, tokens
from nasweb.accounts.models import Token, User
from nasweb.accounts.roles import Role

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def with_password(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_setup_prints_a_link_that_works() -> None:
    code = run("setup").rstrip("/\n").rpartition("/setup/")[2]
    assert setup.valid(code)


def test_setup_says_where_to_sign_in_once_there_is_an_account(admin: User) -> None:
    assert run("setup") == "Sign in at http://127.0.0.1:8000/\n"


def test_setup_makes_the_first_account_unattended(monkeypatch: pytest.MonkeyPatch) -> None:
    with_password(monkeypatch, "a long pass phrase\n")
    run("setup", "--username", "ada", "--password-stdin")
    user = User.objects.get()
    assert (user.username, user.role) == ("ada", Role.ADMIN)
    assert user.check_password("a long pass phrase")


def test_setup_refuses_a_second_account(admin: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with_password(monkeypatch, "a long pass phrase")
    with pytest.raises(CommandError, match="account already"):
        run("setup", "--username", "ada", "--password-stdin")


def test_setup_refuses_a_weak_password(monkeypatch: pytest.MonkeyPatch) -> None:
    with_password(monkeypatch, "1234")
    with pytest.raises(CommandError, match="too short"):
        run("setup", "--username", "ada", "--password-stdin")
    assert setup.needed()


@pytest.mark.parametrize("arguments", [("--username", "ada"), ("--password-stdin",)])
def test_setup_wants_name_and_password_together(arguments: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="together"):
        run("setup", *arguments)


def test_token_create_prints_nothing_but_the_token(admin: User) -> None:
    printed = run("token", "create", "backup", "--scope", "pools:read", "--scope", "jobs:read")
    token = tokens.recognise(printed.removesuffix("\n"))
    assert token is not None
    assert (token.name, token.scopes, token.owner) == ("backup", ["jobs:read", "pools:read"], admin)


def test_token_create_needs_an_admin() -> None:
    User.objects.create_user("eve", "x", role=Role.OPERATOR)
    with pytest.raises(CommandError, match="setup"):
        run("token", "create", "backup", "--scope", "pools:read")


def test_token_create_refuses_an_unknown_scope(admin: User) -> None:
    with pytest.raises(CommandError, match="pools:paint"):
        run("token", "create", "backup", "--scope", "pools:paint")
    assert not Token.objects.exists()


def test_token_list_and_revoke(admin: User) -> None:
    token, plaintext = tokens.create(name="backup", scopes=["pools:read"], user=admin)
    listed = run("token", "list")
    assert "backup" in listed and "usable" in listed and plaintext not in listed
    run("token", "revoke", str(token.pk))
    assert tokens.recognise(plaintext) is None
    assert "revoked" in run("token", "list")
    with pytest.raises(CommandError, match="no token"):
        run("token", "revoke", str(token.pk))
