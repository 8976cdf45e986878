"""Who guesses at a name shuts out neither another address nor a browser that signed in before."""

from __future__ import annotations

from time import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core import signing
from django.test import Client

from accounts.devices import COOKIE
from accounts.models import User
from nasweb.settings import ACCOUNT_RATE_LIMITS

pytestmark = pytest.mark.django_db
RIGHT = "correct horse battery"
OWNER, NEIGHBOUR = "192.168.1.20", "192.168.1.66"


@pytest.fixture(autouse=True)
def counted(settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS


def sign_in(client: Client, password: str, address: str, name: str = "admin") -> bool:
    answer = client.post("/accounts/login/", {"login": name, "password": password}, REMOTE_ADDR=address)
    return answer.status_code == 302


def guess(times: int, address: str, client: Client | None = None) -> None:
    for number in range(times):
        assert not sign_in(client or Client(), f"wrong guess {number}", address)


def test_a_neighbour_shuts_out_only_its_own_address(admin: User) -> None:
    guess(10, NEIGHBOUR)
    assert not sign_in(Client(), RIGHT, NEIGHBOUR), "right or wrong, it is not checked"
    assert sign_in(Client(), RIGHT, OWNER)


def test_a_browser_that_signed_in_before_gets_in_through_any_flood(admin: User) -> None:
    known = Client()
    assert sign_in(known, RIGHT, OWNER)
    known.cookies.pop("nasweb_session")
    for number in range(1, 14):
        guess(5, f"10.0.0.{number}")
    guess(10, OWNER)
    assert not sign_in(Client(), RIGHT, "10.0.1.1"), "of all strangers a name has sixty in five minutes"
    assert sign_in(known, RIGHT, OWNER)


def test_such_a_browser_has_five_guesses_too(admin: User) -> None:
    known = Client()
    assert sign_in(known, RIGHT, OWNER)
    known.cookies.pop("nasweb_session")
    guess(5, OWNER, known)
    assert not sign_in(known, RIGHT, OWNER)


def test_it_is_known_for_the_names_that_signed_in_with_it(admin: User) -> None:
    User.objects.create_user("vera", RIGHT)
    known = Client()
    assert sign_in(known, RIGHT, OWNER, "vera")
    known.cookies.pop("nasweb_session")
    guess(5, OWNER)
    assert not sign_in(known, RIGHT, OWNER, "admin")
    assert sign_in(known, RIGHT, OWNER, "VERA")


def code_of(user: User) -> str:
    secret = Authenticator.objects.get(user=user, type=Authenticator.Type.TOTP).data["secret"]
    return str(format_hotp_value(hotp_value(secret, int(time()) // 30)))


def give_code(client: Client, code: str, address: str) -> bool:
    """After the password, which is right."""
    client.cookies.pop("nasweb_session", None)
    assert sign_in(client, RIGHT, address)
    answer = client.post("/accounts/2fa/authenticate/", {"code": code}, REMOTE_ADDR=address)
    return answer.status_code == 302


def test_who_knows_the_password_shuts_nobody_out_at_the_second_factor(admin: User) -> None:
    TOTP.activate(admin, generate_totp_secret())
    for _ in range(5):
        assert not give_code(Client(), "000000", NEIGHBOUR)
    assert not give_code(Client(), code_of(admin), NEIGHBOUR), "right or wrong, it is not checked"
    assert give_code(Client(), code_of(admin), OWNER)


def test_a_known_browser_gives_its_code_through_any_flood(admin: User) -> None:
    known = Client()
    assert sign_in(known, RIGHT, OWNER)
    TOTP.activate(admin, generate_totp_secret())
    for number in range(40):
        assert not give_code(Client(), "000000", f"10.0.0.{number}")
    assert not give_code(Client(), code_of(admin), "10.0.1.1"), "of all strangers a name has forty an hour"
    for _ in range(4):
        assert not give_code(known, "000000", OWNER)
    assert give_code(known, code_of(admin), OWNER)


def test_a_known_browser_has_five_codes_too(admin: User) -> None:
    known = Client()
    assert sign_in(known, RIGHT, OWNER)
    TOTP.activate(admin, generate_totp_secret())
    for _ in range(5):
        assert not give_code(known, "000000", OWNER)
    assert not give_code(known, code_of(admin), OWNER)


@pytest.mark.parametrize(
    "cookie",
    ["x", "\xff", signing.dumps(["d", ["admin"]], salt="another"), "a" * 5000],
    ids=["short", "no ASCII", "signed for another use", "long"],  # a signature holds the time
)
def test_a_cookie_that_was_made_up_is_none(admin: User, cookie: str) -> None:
    client = Client()
    client.cookies[COOKIE] = cookie
    guess(5, NEIGHBOUR, client)
    assert not sign_in(client, RIGHT, NEIGHBOUR)


def test_no_script_and_no_other_site_gets_the_cookie(admin: User, settings: Any) -> None:
    client = Client()
    settings.SESSION_COOKIE_SECURE = True
    assert sign_in(client, RIGHT, OWNER)
    found = client.cookies[COOKIE]
    assert (found["httponly"], found["secure"], found["samesite"]) == (True, True, "Strict")
