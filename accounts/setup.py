"""The first account, made by whoever is at the machine or runs its commands. No default password.

There are two one-time codes: one that the machine's screen shows and a person types (`codes`), whose guesses
are counted (`guesses`), and a link that `manage.py setup` prints, with 192 bits, which nobody can guess
however often they try. Each is valid for a day, ends when a new one of its kind is made (at each start) or
when the account is made, and is kept as a keyed hash only.
"""

from __future__ import annotations

import hmac
import secrets
from datetime import timedelta

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import codes, screen
from accounts.models import CodeKind, SetupCode, User
from accounts.roles import Role
from jobs.api.guesses import Guesses
from jobs.audit import record

_VALID = timedelta(days=1)
GUESSES = Guesses()


class SetupRefused(ValueError):
    """The first account was not made; the text says why and may be shown. `field` is where it belongs."""

    def __init__(self, message: str, *, field: str = "") -> None:
        self.field = field
        super().__init__(message)


class TooManyGuesses(SetupRefused):
    """The code was not even checked."""


def needed() -> bool:
    """True while there is no account."""
    return not User.objects.exists()


def refuse_if_done() -> None:
    """Raises `SetupRefused` when there is an account."""
    if not needed():
        raise SetupRefused("There is an account already. Sign in with it.")


def issue() -> str:
    """A new code for a link; an earlier one ends. Raises `SetupRefused` when there is an account."""
    code = secrets.token_urlsafe(24)
    _keep(CodeKind.LINK, code)
    return code


def issue_for_screen() -> str:
    """A new code to be typed; an earlier one ends. Raises `SetupRefused` when there is an account."""
    code = codes.make()
    _keep(CodeKind.SCREEN, codes.plain(code))
    return code


def valid(code: str) -> bool:
    """Whether `code` would be accepted now as that of a link."""
    return _known(CodeKind.LINK, code) and needed()


def claim(code: str, username: str, password: str) -> User:
    """Make the first account, an admin, with the code of a link, which is used up. Raises `SetupRefused`."""
    if not valid(code):
        raise SetupRefused("This link is not valid any more. `nasweb setup` prints a new one.")
    return _create(username, password, used=(CodeKind.LINK, code))


def claim_by_screen(typed: str, username: str, password: str, *, address: str) -> User:
    """Make the account with the code on the screen; `address` is whose guess it is. Raises `SetupRefused`."""
    may_claim(typed, username, password, address=address)
    return _create(username, password, used=(CodeKind.SCREEN, codes.plain(typed)))


def may_claim(typed: str, username: str, password: str, *, address: str) -> None:
    """Whether `claim_by_screen` would do it now; a guess like any other. Raises `SetupRefused` if not."""
    if not GUESSES.allow(address):
        raise TooManyGuesses("Too many codes were tried. Wait a minute, then type it again.", field="code")
    if not _known(CodeKind.SCREEN, codes.plain(typed)):
        refuse_if_done()
        raise SetupRefused("That is not the code on the machine's screen now.", field="code")
    refuse_if_done()
    _check(User(username=username, role=Role.ADMIN), password)


def create_first(username: str, password: str) -> User:
    """Make the first account, an admin, on the machine itself. Raises `SetupRefused`."""
    return _create(username, password)


def _create(username: str, password: str, *, used: tuple[CodeKind, str] | None = None) -> User:
    """Also refused when another was quicker: one transaction uses the code up and makes the account."""
    refuse_if_done()
    user = User(username=username, role=Role.ADMIN)
    _check(user, password)
    user.set_password(password)  # outside the transaction: it takes its time on purpose
    with transaction.atomic():
        refuse_if_done()
        if used is not None and not _use_up(*used):
            raise SetupRefused("The code has just ended. Type the new one.", field="code")
        user.save()
        SetupCode.objects.all().delete()
        record(username, "account.create", username, role=user.role)
    screen.clear()
    return user


def _keep(kind: CodeKind, code: str) -> None:
    with transaction.atomic():
        refuse_if_done()
        SetupCode.objects.update_or_create(
            kind=kind, defaults={"digest": _digest(code), "expires": timezone.now() + _VALID}
        )


def _known(kind: CodeKind, code: str) -> bool:
    row = SetupCode.objects.filter(kind=kind, expires__gt=timezone.now()).first()
    known = row.digest if row is not None else ""
    return hmac.compare_digest(known, _digest(code))


def _use_up(kind: CodeKind, code: str) -> bool:
    ended, _ = SetupCode.objects.filter(kind=kind, digest=_digest(code), expires__gt=timezone.now()).delete()
    return ended == 1


def _check(user: User, password: str) -> None:
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        raise SetupRefused(" ".join(error.messages), field="username") from None
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise SetupRefused(" ".join(error.messages), field="password") from None


def _digest(code: str) -> str:
    # Keyed: of a code that short a plain hash could be searched through by whoever gets hold of the database.
    given = code.encode(errors="surrogatepass")
    return salted_hmac("nasweb.accounts.setup", given, algorithm="sha256").hexdigest()
