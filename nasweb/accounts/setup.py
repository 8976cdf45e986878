"""The first account: made with a one-time code, or on the command line. There is no default password."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from jobs.audit import record
from nasweb.accounts.models import SetupCode, User
from nasweb.accounts.roles import Role

_VALID = timedelta(days=1)
_MOST_TRIES, _WINDOW_S = 20, 60


class SetupRefused(ValueError):
    """The first account was not made; the text says why and may be shown. `field` is where it belongs."""

    def __init__(self, message: str, *, field: str = "") -> None:
        self.field = field
        super().__init__(message)


def needed() -> bool:
    """True while there is no account."""
    return not User.objects.exists()


def issue() -> str:
    """A new code, valid for a day; an earlier one ends. Raises `SetupRefused` when there is an account."""
    code = secrets.token_urlsafe(24)
    with transaction.atomic():
        _refuse_if_done()
        SetupCode.objects.update_or_create(
            pk=1, defaults={"digest": _digest(code), "expires": timezone.now() + _VALID}
        )
    return code


def valid(code: str) -> bool:
    """Whether `code` would be accepted now."""
    row = SetupCode.objects.filter(pk=1, expires__gt=timezone.now()).first()
    known = row.digest if row is not None else ""
    return hmac.compare_digest(known, _digest(code)) and needed()


def claim(code: str, username: str, password: str) -> User:
    """Make the first account, an admin, and use the code up. Raises `SetupRefused`."""
    _count_try()
    if not valid(code):
        raise SetupRefused("This link is not valid any more. `manage.py setup` prints a new one.")
    return create_first(username, password)


def create_first(username: str, password: str) -> User:
    """Make the first account, an admin. Raises `SetupRefused`, also when another was quicker."""
    _refuse_if_done()
    user = User(username=username, role=Role.ADMIN)
    _check(user, password)
    user.set_password(password)  # outside the transaction: it takes its time on purpose
    with transaction.atomic():
        _refuse_if_done()
        user.save()
        SetupCode.objects.all().delete()
        record(username, "account.create", username, role=user.role)
    return user


def _check(user: User, password: str) -> None:
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise SetupRefused(" ".join(error.messages), field="username") from None
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise SetupRefused(" ".join(error.messages), field="password") from None


def _refuse_if_done() -> None:
    if not needed():
        raise SetupRefused("There is an account already. Sign in with it.")


def _count_try() -> None:
    cache.add("setup-tries", 0, timeout=_WINDOW_S)
    if cache.incr("setup-tries") > _MOST_TRIES:
        raise SetupRefused("Too many tries. Wait a minute.")


def _digest(code: str) -> str:
    return hashlib.sha256(code.encode(errors="surrogatepass")).hexdigest()
