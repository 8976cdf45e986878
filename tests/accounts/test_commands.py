"""`manage.py setup` and `manage.py token`, as scripts use them."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts import setup, tokens
from accounts.models import Token, User
from accounts.roles import Role
from host.programs.greeting import code_in

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def with_password(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_setup_prints_a_link_that_works_and_a_code_where_there_is_no_screen() -> None:
    first, second = run("setup").splitlines()
    assert setup.valid(first.rpartition("/setup/")[2].rstrip("/"))
    code = second.split()[-1]
    assert setup.claim_by_screen(code, "ada", "correct horse battery", address="::1").username == "ada"


@pytest.fixture
def screen_file(settings: Any, tmp_path: Path) -> Path:
    """Where the machine's screen reads the code."""
    settings.NASWEB_SCREEN = tmp_path / "code"
    return tmp_path / "code"


def test_the_screens_code_is_in_its_file_and_printed_nowhere(screen_file: Path) -> None:
    said = run("setup", "--screen")
    code = screen_file.read_text().strip()
    assert (code_in(screen_file), screen_file.stat().st_mode & 0o777) == (code, 0o640)
    assert code not in said
    assert code not in run("setup")  # which prints a link alone
    assert setup.claim_by_screen(code, "ada", "correct horse battery", address="::1").username == "ada"


def test_the_screens_code_goes_when_there_is_an_account(
    screen_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("setup", "--screen")
    with_password(monkeypatch, "a long pass phrase\n")
    run("setup", "--username", "ada", "--password-stdin")
    assert not screen_file.exists()


def test_a_code_that_was_left_behind_goes_at_the_next_start(screen_file: Path, admin: User) -> None:
    screen_file.write_text("K7QM-3XRT-9HPA\n")
    assert run("setup", "--screen") == "Sign in at http://127.0.0.1:8000/\n"
    assert not screen_file.exists()


def test_without_a_screen_there_is_nothing_to_show() -> None:
    with pytest.raises(CommandError, match="NASWEB_SCREEN"):
        run("setup", "--screen")


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
