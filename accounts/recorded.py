"""Sign-ins and changes of credentials in the audit log: what the sign-in library reports.

A stranger cannot make the log grow: of one name and address a failed try is noted once in ten minutes, and
of one name sixty times an hour. A name that no account has is not written down: people type passwords there.
"""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account
from allauth.account.adapter import get_adapter
from allauth.core.internal import ratelimit
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from accounts.models import User
from jobs.audit import record

_LONGEST_NAME = 150  # of an account; SQLite matches no text of 50 000 letters


def connect() -> None:
    """From now on what the library reports is recorded."""
    account.user_logged_in.connect(_signed_in)
    account.user_logged_out.connect(_signed_out)
    account.password_changed.connect(_password_changed)
    mfa.authenticator_added.connect(_factor_added)
    mfa.authenticator_removed.connect(_factor_removed)
    mfa.authenticator_reset.connect(_factor_reset)
    mfa.authentication_failed.connect(_code_failed)


def password_failed(request: HttpRequest, name: str) -> None:
    """Note a wrong password, or a name that no account has."""
    _note_failed(request, "account.sign-in-failed", name)


def _signed_in(request: HttpRequest, user: User, **_: Any) -> None:
    record(user.username, "account.sign-in", user.username, address=_address(request))


def _signed_out(user: User | None, **_: Any) -> None:
    if user is not None:
        record(user.username, "account.sign-out", user.username)


def _password_changed(request: HttpRequest, user: User, **_: Any) -> None:
    record(user.username, "account.password", user.username, address=_address(request))


def _factor_added(user: User, authenticator: Authenticator, **_: Any) -> None:
    record(user.username, "account.second-factor-added", user.username, kind=authenticator.type)


def _factor_removed(user: User, authenticator: Authenticator, **_: Any) -> None:
    record(user.username, "account.second-factor-removed", user.username, kind=authenticator.type)


def _factor_reset(user: User, authenticator: Authenticator, **_: Any) -> None:
    record(user.username, "account.second-factor-reset", user.username, kind=authenticator.type)


def _code_failed(request: HttpRequest, user: User, **_: Any) -> None:
    _note_failed(request, "account.second-factor-failed", user.username)


def _note_failed(request: HttpRequest, action: str, name: str) -> None:
    user = User.objects.filter(username__iexact=name[:_LONGEST_NAME]).first()
    known = "" if user is None else user.username
    counts = (
        ("failed_noted", f"{action}:{ratelimit.get_ip(request)}:{known}"),
        ("failed_noted_all", f"{action}:{known}"),
    )
    for count, key in counts:
        if ratelimit.consume(request, app="allauth.account", action=count, key=key) is None:
            return
    record("", action, known or "a name that no account has", address=_address(request))


def _address(request: HttpRequest) -> str:
    return str(get_adapter().get_client_ip(request))
