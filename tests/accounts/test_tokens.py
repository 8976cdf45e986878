"""Tokens are shown once, found by their hash, and end when they should."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts import tokens
from accounts.models import Token, User

pytestmark = pytest.mark.django_db


def test_only_the_hash_of_a_token_is_kept(admin: User) -> None:
    token, plaintext = tokens.create(name="backup", scopes=["pools:read"], user=admin)
    assert plaintext.startswith("nas_") and len(plaintext) == len("nas_") + 43
    row = Token.objects.filter(pk=token.pk).values().get()
    assert row["digest"] == hashlib.sha256(plaintext.encode()).hexdigest()
    assert not any(plaintext in str(value) for value in row.values())


def test_a_token_is_recognised_with_its_owner(admin: User) -> None:
    token, plaintext = tokens.create(name="backup", scopes=["pools:read"], user=admin)
    found = tokens.recognise(plaintext)
    assert found == token and found is not None and found.owner == admin


@pytest.mark.parametrize("text", ["", "nas_", "nas_wrong", "Bearer", "nas_" + "ä" * 43])
def test_another_text_is_no_token(admin: User, text: str) -> None:
    tokens.create(name="backup", scopes=["pools:read"], user=admin)
    assert tokens.recognise(text) is None


def test_a_revoked_token_is_not_recognised(admin: User) -> None:
    token, plaintext = tokens.create(name="t", scopes=["pools:read"], user=admin)
    tokens.revoke(token)
    assert tokens.recognise(plaintext) is None


def test_an_expired_token_is_not_recognised(admin: User) -> None:
    past = timezone.now() - timedelta(seconds=1)
    _, plaintext = tokens.create(name="t", scopes=["pools:read"], user=admin, expires=past)
    assert tokens.recognise(plaintext) is None


def test_a_token_ends_with_its_owners_account(admin: User) -> None:
    _, plaintext = tokens.create(name="t", scopes=["pools:read"], user=admin)
    admin.is_active = False
    admin.save()
    assert tokens.recognise(plaintext) is None


def test_use_is_noted_at_most_once_a_minute(admin: User) -> None:
    token, plaintext = tokens.create(name="t", scopes=["pools:read"], user=admin)
    tokens.recognise(plaintext)
    first = Token.objects.get(pk=token.pk).last_used
    tokens.recognise(plaintext)
    assert first is not None and Token.objects.get(pk=token.pk).last_used == first
    Token.objects.filter(pk=token.pk).update(last_used=first - timedelta(minutes=2))
    tokens.recognise(plaintext)
    assert Token.objects.get(pk=token.pk).last_used > first - timedelta(minutes=1)  # type: ignore[operator]


def test_an_unknown_scope_is_refused(admin: User) -> None:
    with pytest.raises(tokens.UnknownScope, match="pools:paint"):
        tokens.create(name="t", scopes=["pools:paint"], user=admin)
    assert not Token.objects.exists()
