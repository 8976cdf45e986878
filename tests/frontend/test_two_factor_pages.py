"""Two-factor authentication, recovery codes and the own password, in the console's own pages."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.test import Client

from accounts.models import User

PASSWORD = "correct horse battery"
_COUNTER = 57


@pytest.fixture(autouse=True)
def half_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """No code becomes old between its making and its use."""
    monkeypatch.setattr(totp, "yield_hotp_counters_from_time", lambda: iter((_COUNTER,)))


def confirmed(client: Client) -> Client:
    """Having entered the password once more, as these pages ask for."""
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    return client


def now(secret: str) -> str:
    """What the app would show."""
    shown: str = totp.format_hotp_value(totp.hotp_value(secret, _COUNTER))
    return shown


def switch_on(client: Client) -> str:
    """Set the app up; answers its secret."""
    secret: str = confirmed(client).get("/accounts/2fa/totp/activate/").context["form"].secret
    answer = client.post("/accounts/2fa/totp/activate/", {"code": now(secret)})
    assert answer["Location"] == "/accounts/2fa/recovery-codes/"
    return secret


def test_the_page_says_whether_it_is_on_and_what_it_is_for(browser: Client) -> None:
    page = browser.get("/accounts/2fa/").text
    assert "<h1>Two-factor authentication</h1>" in page
    assert "your phone is needed" in page
    assert "Set up</a>" in page
    switch_on(browser)
    page = browser.get("/accounts/2fa/").text
    assert "10 codes left." in page
    assert "Turn off</a>" in page


def test_the_secret_stands_beside_its_picture_as_text(browser: Client) -> None:
    answer = confirmed(browser).get("/accounts/2fa/totp/activate/")
    assert f"<code>{answer.context['form'].secret}</code>" in answer.text
    assert 'src="data:image/svg+xml;base64,' in answer.text


def test_a_wrong_code_is_told_beside_its_field(browser: Client) -> None:
    answer = confirmed(browser).post("/accounts/2fa/totp/activate/", {"code": "000"})
    assert 'aria-describedby="code-error"' in answer.text
    assert not Authenticator.objects.exists()


def test_recovery_codes_are_shown_to_be_copied_printed_and_kept(browser: Client) -> None:
    switch_on(browser)
    answer = browser.get("/accounts/2fa/recovery-codes/")
    codes = answer.context["unused_codes"]
    assert len(codes) == 10
    assert [code for code in codes if f"<code>{code}</code>" not in answer.text] == []
    assert '@click="copy"' in answer.text
    assert '@click="print"' in answer.text
    assert (
        "The 10 codes that are left will stop working."
        in browser.get("/accounts/2fa/recovery-codes/generate/").text
    )
    browser.post("/accounts/2fa/recovery-codes/generate/")
    assert not set(codes) & set(browser.get("/accounts/2fa/recovery-codes/").context["unused_codes"])


def test_a_recovery_code_signs_in_when_the_phone_is_lost(browser: Client, admin: User) -> None:
    switch_on(browser)
    code = browser.get("/accounts/2fa/recovery-codes/").context["unused_codes"][0]
    stranger = Client()
    stranger.post("/accounts/login/", {"login": admin.username, "password": PASSWORD})
    page = stranger.get("/accounts/2fa/authenticate/").text
    assert "or one of your recovery codes" in page
    assert stranger.post("/accounts/2fa/authenticate/", {"code": code})["Location"] == "/"


def test_it_is_turned_off_after_being_told_what_that_means(browser: Client) -> None:
    switch_on(browser)
    assert "your password alone is enough to sign in" in browser.get("/accounts/2fa/totp/deactivate/").text
    browser.post("/accounts/2fa/totp/deactivate/")
    assert not Authenticator.objects.exists()


def test_the_own_password_is_changed_and_faults_stand_beside_their_fields(
    browser: Client, admin: User
) -> None:
    page = browser.get("/accounts/password/change/").text
    assert "Confirm new password" in page
    new = {"password1": "a much better one 7", "password2": "a much better one 7"}
    refused = browser.post("/accounts/password/change/", {"oldpassword": "wrong", **new})
    assert set(refused.context["form"].errors) == {"oldpassword"}
    assert 'aria-invalid="true"' in refused.text
    browser.post("/accounts/password/change/", {"oldpassword": PASSWORD, **new})
    admin.refresh_from_db()
    assert admin.check_password("a much better one 7")
