"""Makes, recognises and revokes tokens."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from functools import cache
from typing import Any

import structlog
from django.db import OperationalError
from django.db.models import Model, Q
from django.utils import timezone

from accounts.models import Token, User
from accounts.roles import SCOPES

_PREFIX = "nas_"
_log = structlog.get_logger("accounts")
_NOTED_EVERY = timedelta(minutes=1)  # last_used: a write for each request would be too many


class UnknownScope(ValueError):
    """A scope that does not exist, or that the maker of the token does not have."""


def create(
    *, name: str, scopes: Collection[str], user: User, expires: datetime | None = None
) -> tuple[Token, str]:
    """A new token and its text, as `draft` and `issue` make them. Raises `UnknownScope`."""
    token = draft(name=name, scopes=scopes, user=user, expires=expires)
    return token, issue(token)


def draft(*, name: str, scopes: Collection[str], user: User, expires: datetime | None = None) -> Token:
    """A token that is stored nowhere yet. Raises `UnknownScope`."""
    for scope in scopes:
        if scope not in SCOPES:
            raise UnknownScope(f"There is no scope {scope}. Known are {', '.join(SCOPES)}.")
    return Token(name=name, scopes=sorted(set(scopes)), owner=user, expires=expires)


def issue(token: Token) -> str:
    """Store a draft and return its text, which is shown once and cannot be found out later."""
    plaintext = _PREFIX + secrets.token_urlsafe(32)
    token.digest = _digest(plaintext)
    token.save()
    return plaintext


def recognise(plaintext: str) -> Token | None:
    """The usable token with that text, with its owner; notes that it was used."""
    if not plaintext.startswith(_PREFIX):
        return None
    # Found by its SHA-256 in an index: how long that takes reveals nothing about the token.
    token = _with_digest(_digest(plaintext))
    if token is None or not token.usable:
        return None
    _note_use(token)
    return token


def revoke(token: Token) -> None:
    """Revoke a token. Its row stays."""
    Token.objects.filter(pk=token.pk, revoked=None).update(revoked=timezone.now())


def _with_digest(digest: str) -> Token | None:
    token = _row(Token, digest=digest)
    if token is None:
        return None
    owner = _row(User, pk=token.owner_id)
    if owner is None:
        return None
    token.owner = owner
    return token


def _row[M: Model](model: type[M], **unique: Any) -> M | None:
    """The row with that value in a unique column.

    Django takes five times as long to make such a query as the database to answer it, and a third of a short
    request was this: the SQL that it makes is kept.
    """
    ((column, value),) = unique.items()
    return next(iter(model._default_manager.raw(_sql(model, column), [value])), None)


@cache
def _sql(model: type[Model], column: str) -> str:
    return model._default_manager.filter(**{column: "0"}).order_by().query.sql_with_params()[0]


def _note_use(token: Token) -> None:
    now = timezone.now()
    if token.last_used is not None and token.last_used > now - _NOTED_EVERY:
        return
    old = Q(last_used=None) | Q(last_used__lte=now - _NOTED_EVERY)
    try:
        Token.objects.filter(old, pk=token.pk).update(last_used=now)
    except OperationalError as error:  # a full or read-only disk: whoever only reads goes on
        _log.warning("use of a token not noted", token=token.pk, error=str(error))


def _digest(plaintext: str) -> str:
    return hashlib.sha256(plaintext.encode()).hexdigest()
