"""Sign-ins and changes of credentials are in the audit log, and strangers cannot make it grow."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.test import Client

from accounts.models import User
from jobs.models import AuditEvent
from nasweb.settings import ACCOUNT_RATE_LIMITS

pytestmark = pytest.mark.django_db
RIGHT = "correct horse battery"
LOGIN = "/accounts/login/"


def sign_in(client: Client, password: str = RIGHT, name: str = "admin", address: str = "10.0.0.1") -> None:
    client.post(LOGIN, {"login": name, "password": password}, REMOTE_ADDR=address)


def events() -> list[tuple[str, str, str]]:
    return list(AuditEvent.objects.order_by("id").values_list("actor", "action", "subject"))


def test_signing_in_and_out_is_recorded_with_the_address(client: Client, admin: User) -> None:
    sign_in(client)
    client.post("/accounts/logout/")
    assert events() == [("admin", "account.sign-in", "admin"), ("admin", "account.sign-out", "admin")]
    assert AuditEvent.objects.get(action="account.sign-in").detail == {"address": "10.0.0.1"}


def test_a_new_password_is_recorded_and_not_what_it_is(client: Client, admin: User) -> None:
    sign_in(client)
    form = {"oldpassword": RIGHT, "password1": "another pass phrase", "password2": "another pass phrase"}
    assert client.post("/accounts/password/change/", form).status_code == 302
    assert ("admin", "account.password", "admin") in events()
    assert "pass phrase" not in str(list(AuditEvent.objects.values()))


def test_a_second_factor_is_recorded_as_it_comes_and_goes(
    transactional_db: None, client: Client, admin: User
) -> None:
    sign_in(client)
    client.post("/accounts/reauthenticate/", {"password": RIGHT})
    client.get("/accounts/2fa/totp/activate/")
    secret = client.session["mfa.totp.secret"]
    code = format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time()))))
    assert client.post("/accounts/2fa/totp/activate/", {"code": code}).status_code == 302
    client.post("/accounts/2fa/recovery-codes/generate/")
    client.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()
    found = [action.removeprefix("account.second-factor-") for _, action, _ in events()][1:]
    assert found == ["added", "added", "reset", "removed", "removed"]
    assert secret not in str(list(AuditEvent.objects.values()))


def test_failed_tries_are_recorded_once_for_name_and_address(
    client: Client, admin: User, settings: Any
) -> None:
    settings.ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS
    for _ in range(3):
        sign_in(client, "wrong", "ADMIN")
        sign_in(client, "wrong", "my own password 1")
    sign_in(client, "wrong", "admin", "10.0.0.2")
    tried = ("", "account.sign-in-failed")
    assert events() == [(*tried, "admin"), (*tried, "a name that no account has"), (*tried, "admin")]
    assert "password 1" not in str(list(AuditEvent.objects.values()))


def test_the_page_shows_the_address(client: Client, admin: User) -> None:
    sign_in(client, "wrong")
    sign_in(client)
    page = client.get("/audit/").content.decode()
    assert page.count("admin, from 10.0.0.1") == 2
    assert "<option></option>" not in page


def test_from_all_addresses_together_they_are_bounded(client: Client, admin: User, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = ACCOUNT_RATE_LIMITS
    for number in range(70):
        sign_in(client, "wrong", f"somebody{number}", f"10.0.1.{number}")
    sign_in(client, "wrong")
    assert AuditEvent.objects.count() == 61


def test_a_wrong_code_is_recorded(client: Client, admin: User) -> None:
    TOTP.activate(admin, generate_totp_secret())
    RecoveryCodes.activate(admin)
    sign_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert events() == [("", "account.second-factor-failed", "admin")]
