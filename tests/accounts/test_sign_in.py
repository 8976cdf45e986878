"""Sign-in pages: those that need e-mail or open sign-up are shut, and no page opens without an account."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db


def test_whoever_is_not_signed_in_is_sent_to_the_sign_in_page(client: Client) -> None:
    answer = client.get("/jobs/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/login/?next=/jobs/")


def test_signing_in_leads_home(client: Client, admin: User) -> None:
    form = {"login": "admin", "password": "correct horse battery"}
    answer = client.post("/accounts/login/", form)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


@pytest.mark.parametrize("page", ["signup/", "password/reset/", "email/", "login/code/confirm/"])
def test_pages_that_make_no_sense_here_are_not_found(client: Client, admin: User, page: str) -> None:
    assert client.get(f"/accounts/{page}").status_code == 404
    client.force_login(admin)
    assert client.post(f"/accounts/{page}", {"email": "a@example.org"}).status_code == 404


@pytest.mark.parametrize("page", ["2fa/", "password/change/", "reauthenticate/"])
def test_own_security_pages_open_for_the_signed_in(client: Client, admin: User, page: str) -> None:
    client.force_login(admin)
    assert client.get(f"/accounts/{page}").status_code == 200
