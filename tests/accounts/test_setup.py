"""The first account: once, by whoever holds the code."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from jobs.models import AuditEvent
from nasweb.accounts import setup
from nasweb.accounts.models import SetupCode, User
from nasweb.accounts.roles import Role

pytestmark = pytest.mark.django_db
GOOD = "correct horse battery"


def test_the_code_makes_an_admin_once() -> None:
    code = setup.issue()
    user = setup.claim(code, "ada", GOOD)
    assert user.role == Role.ADMIN and user.check_password(GOOD)
    with pytest.raises(setup.SetupRefused):
        setup.claim(code, "eve", GOOD)
    assert list(User.objects.values_list("username", flat=True)) == ["ada"]
    assert list(AuditEvent.objects.values_list("action", "subject")) == [("account.create", "ada")]


def test_only_the_hash_of_the_code_is_kept() -> None:
    code = setup.issue()
    assert code not in str(SetupCode.objects.values().get())


@pytest.mark.parametrize("code", ["", "guess", "\ud800", "x" * 100_000])
def test_another_code_is_refused(code: str) -> None:
    setup.issue()
    with pytest.raises(setup.SetupRefused, match="not valid"):
        setup.claim(code, "ada", GOOD)
    assert setup.needed()


def test_without_an_issued_code_none_is_valid() -> None:
    assert not setup.valid("")


def test_a_new_code_ends_the_earlier_one() -> None:
    first, second = setup.issue(), setup.issue()
    assert (setup.valid(first), setup.valid(second)) == (False, True)


def test_a_code_ends_after_a_day() -> None:
    code = setup.issue()
    SetupCode.objects.update(expires=timezone.now() - timedelta(seconds=1))
    assert not setup.valid(code)


@pytest.mark.parametrize(
    ("username", "password", "field"),
    [
        ("", GOOD, "username"),
        ("a b", GOOD, "username"),
        ("ada\n", GOOD, "username"),
        ("x" * 151, GOOD, "username"),
        ("ada", "", "password"),
        ("ada", "short", "password"),
        ("ada", "password123", "password"),
        ("adalovelace", "adalovelace", "password"),
    ],
)
def test_a_bad_name_or_password_leaves_the_code_valid(username: str, password: str, field: str) -> None:
    code = setup.issue()
    with pytest.raises(setup.SetupRefused) as refused:
        setup.claim(code, username, password)
    assert refused.value.field == field
    assert setup.needed() and setup.valid(code)


def test_no_code_is_issued_once_there_is_an_account(admin: User) -> None:
    with pytest.raises(setup.SetupRefused, match="account already"):
        setup.issue()
    with pytest.raises(setup.SetupRefused, match="account already"):
        setup.create_first("ada", GOOD)


def test_tries_are_limited() -> None:
    code = setup.issue()
    for _ in range(20):
        with pytest.raises(setup.SetupRefused, match="not valid"):
            setup.claim("guess", "ada", GOOD)
    with pytest.raises(setup.SetupRefused, match="Too many"):
        setup.claim(code, "ada", GOOD)
