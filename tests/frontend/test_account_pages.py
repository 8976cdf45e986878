"""The first account, signing in, and tokens."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts import setup, tokens
from accounts.models import Token, User

GOOD = {"username": "ada", "password": "correct horse battery", "again": "correct horse battery"}


def test_the_link_makes_the_first_account_and_signs_it_in(db: None) -> None:
    client = Client()
    address = f"/setup/{setup.issue()}/"
    assert client.get(address).status_code == 200
    assert client.post(address, GOOD)["Location"] == "/welcome/"
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


@pytest.mark.parametrize("path", ["/", "/accounts/login/", "/pools/tank/"])
def test_a_machine_that_nobody_claimed_asks_for_the_code(db: None, path: str) -> None:
    answer = Client().get(path, follow=True)
    assert answer.redirect_chain[-1][0] == "/setup/"
    assert "Code on the NAS" in answer.content.decode()


def test_the_code_on_the_screen_makes_the_first_account_and_signs_it_in(db: None) -> None:
    client = Client()
    code = setup.issue_for_screen()
    assert client.post("/setup/", GOOD | {"code": code.lower()})["Location"] == "/welcome/"
    assert client.get("/").status_code == 200
    assert User.objects.get().role == "admin"


@pytest.mark.parametrize("code", ["", "K7QM-3XRT-9HPA"])
def test_without_the_code_there_is_no_account(db: None, code: str) -> None:
    setup.issue_for_screen()
    answer = Client().post("/setup/", GOOD | {"code": code})
    assert answer.status_code == 422
    assert list(answer.context["errors"].by_field) == ["code"]
    assert "no-store" in answer["Cache-Control"]
    assert not User.objects.exists()


def test_what_is_missing_is_told_before_a_guess_is_counted(db: None) -> None:
    code = setup.issue_for_screen()
    for _ in range(20):
        answer = Client().post("/setup/", {"code": code, "username": "ada"})
        assert list(answer.context["errors"].by_field) == ["password"]
    assert Client().post("/setup/", GOOD | {"code": code}).status_code == 302


def test_guesses_are_limited_by_address(db: None) -> None:
    code = setup.issue_for_screen()
    for _ in range(11):
        answer = Client().post("/setup/", GOOD | {"code": "guess"}, REMOTE_ADDR="10.0.0.66")
    assert "Wait a minute" in answer.content.decode()
    right = GOOD | {"code": code}
    assert Client().post("/setup/", right, REMOTE_ADDR="10.0.0.66").status_code == 422
    # Who is not behind nginx cannot claim another's address.
    forged = Client().post("/setup/", right, REMOTE_ADDR="10.0.0.66", headers={"x-forwarded-for": "10.0.0.7"})
    assert forged.status_code == 422
    assert Client().post("/setup/", right, REMOTE_ADDR="10.0.0.7").status_code == 302


def test_the_code_replayed_makes_nothing(db: None) -> None:
    sent = GOOD | {"code": setup.issue_for_screen()}
    Client().post("/setup/", sent)
    eve = Client()
    assert eve.post("/setup/", sent | {"username": "eve"})["Location"] == "/accounts/login/"
    assert eve.get("/").status_code == 302
    assert User.objects.count() == 1


def test_once_there_is_an_account_the_first_page_leads_to_signing_in(admin: User) -> None:
    assert Client().get("/setup/")["Location"] == "/accounts/login/"
    assert Client().get("/accounts/login/").status_code == 200


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
    assert secret not in browser.get("/settings/tokens/").content.decode()


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
    assert browser.get("/settings/tokens/").context["tokens"] == []


def test_nobody_revokes_the_token_of_another(browser: Client, viewer: Client) -> None:
    browser.post("/settings/tokens/", {"name": "x", "scopes": ["pools:read"]})
    assert viewer.post(f"/settings/tokens/{Token.objects.get().pk}/revoke/").status_code == 404
