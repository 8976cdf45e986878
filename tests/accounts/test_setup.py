"""The first account: once, by whoever holds a code."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import codes, setup
from accounts.models import SetupCode, User
from accounts.roles import Role
from jobs.api.guesses import MOST_A_DAY
from jobs.models import AuditEvent

pytestmark = pytest.mark.django_db
GOOD = "correct horse battery"
HERE = "192.168.1.20"
Claim = Callable[[str, str, str], User]


def by_screen(code: str, username: str, password: str) -> User:
    return setup.claim_by_screen(code, username, password, address=HERE)


BOTH = pytest.mark.parametrize(
    ("issue", "claim"),
    [(setup.issue, setup.claim), (setup.issue_for_screen, by_screen)],
    ids=["link", "screen"],
)


@BOTH
def test_the_code_makes_an_admin_once(issue: Callable[[], str], claim: Claim) -> None:
    code = issue()
    user = claim(code, "ada", GOOD)
    assert user.role == Role.ADMIN and user.check_password(GOOD)
    with pytest.raises(setup.SetupRefused):
        claim(code, "eve", GOOD)
    assert list(User.objects.values_list("username", flat=True)) == ["ada"]
    assert list(AuditEvent.objects.values_list("action", "subject")) == [("account.create", "ada")]


@BOTH
def test_a_used_code_stays_used_even_when_the_account_goes(issue: Callable[[], str], claim: Claim) -> None:
    code = issue()
    claim(code, "ada", GOOD).delete()
    with pytest.raises(setup.SetupRefused):
        claim(code, "eve", GOOD)
    assert setup.needed()


def test_only_hashes_of_the_codes_are_kept() -> None:
    link, typed = setup.issue(), setup.issue_for_screen()
    kept = str(list(SetupCode.objects.values()))
    assert link not in kept and typed not in kept and codes.plain(typed) not in kept


@pytest.mark.parametrize("code", ["", "guess", "\ud800", "x" * 100_000])
@BOTH
def test_another_code_is_refused(issue: Callable[[], str], claim: Claim, code: str) -> None:
    issue()
    with pytest.raises(setup.SetupRefused, match=r"not valid|not the code"):
        claim(code, "ada", GOOD)
    assert setup.needed()


def test_without_an_issued_code_none_is_valid() -> None:
    assert not setup.valid("")
    with pytest.raises(setup.SetupRefused):
        by_screen("", "ada", GOOD)


@BOTH
def test_a_new_code_ends_the_earlier_one(issue: Callable[[], str], claim: Claim) -> None:
    first, second = issue(), issue()
    with pytest.raises(setup.SetupRefused):
        claim(first, "eve", GOOD)
    assert claim(second, "ada", GOOD).username == "ada"


def test_a_link_leaves_the_code_on_the_screen_valid() -> None:
    typed = setup.issue_for_screen()
    setup.issue()
    assert by_screen(typed, "ada", GOOD).username == "ada"


def test_what_the_screen_shows_is_no_link_and_the_other_way_round() -> None:
    link, typed = setup.issue(), setup.issue_for_screen()
    assert not setup.valid(typed) and not setup.valid(codes.plain(typed))
    with pytest.raises(setup.SetupRefused, match="not the code"):
        by_screen(link, "eve", GOOD)


@BOTH
def test_a_code_ends_after_a_day(issue: Callable[[], str], claim: Claim) -> None:
    code = issue()
    SetupCode.objects.update(expires=timezone.now() - timedelta(seconds=1))
    with pytest.raises(setup.SetupRefused):
        claim(code, "ada", GOOD)


@BOTH
def test_a_code_that_ends_while_the_password_is_hashed_makes_nothing(
    issue: Callable[[], str], claim: Claim, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = issue()
    monkeypatch.setattr(User, "set_password", lambda self, password: issue())
    with pytest.raises(setup.SetupRefused, match="just ended"):
        claim(code, "ada", GOOD)
    assert setup.needed()


@pytest.mark.parametrize(
    "how", [str.lower, str.upper, codes.plain, lambda code: f" {code.replace('-', ' ')}\n"]
)
def test_small_letters_blanks_and_hyphens_make_no_difference(how: Callable[[str], str]) -> None:
    assert by_screen(how(setup.issue_for_screen()), "ada", GOOD).username == "ada"


def test_codes_have_no_look_alikes_and_cannot_be_guessed_in_a_day() -> None:
    code = codes.make()
    assert [len(group) for group in code.split("-")] == [4, 4, 4]
    assert not set(codes.ALPHABET) & set("0O1IL2Z5S8BU")
    assert len(set(codes.ALPHABET)) == len(codes.ALPHABET)
    assert MOST_A_DAY / len(codes.ALPHABET) ** codes.LENGTH < 1e-9


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
@BOTH
def test_a_bad_name_or_password_leaves_the_code_valid(
    issue: Callable[[], str], claim: Claim, username: str, password: str, field: str
) -> None:
    code = issue()
    with pytest.raises(setup.SetupRefused) as refused:
        claim(code, username, password)
    assert refused.value.field == field
    assert claim(code, "ada", GOOD).username == "ada"


def test_no_code_is_issued_once_there_is_an_account(admin: User) -> None:
    for make in (setup.issue, setup.issue_for_screen):
        with pytest.raises(setup.SetupRefused, match="account already"):
            make()
    with pytest.raises(setup.SetupRefused, match="account already"):
        setup.create_first("ada", GOOD)


def test_the_eleventh_guess_of_a_minute_is_not_checked_even_if_it_is_right() -> None:
    code = setup.issue_for_screen()
    for _ in range(10):
        with pytest.raises(setup.SetupRefused, match="not the code"):
            by_screen("guess", "eve", GOOD)
    with pytest.raises(setup.TooManyGuesses, match="Wait a minute"):
        by_screen(code, "eve", GOOD)
    assert setup.claim_by_screen(code, "ada", GOOD, address="192.168.1.21").username == "ada"
