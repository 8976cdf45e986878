"""The console's accounts: who may sign in, and as what. The last admin who can sign in is never lost.

A person's first password is made here and shown once to whoever made the account; with the first sign-in
it can be changed at "Change the password". A reset makes a new one, ends their sessions and removes a
second factor, for whoever lost their phone.
"""

from __future__ import annotations

import secrets
from typing import Protocol

import msgspec
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY
from allauth.account.utils import user_pk_to_url_str
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX, make_password
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from accounts.models import User
from accounts.roles import Role, rights
from jobs.audit import record
from jobs.plan import Finding, Refused
from jobs.planning.findings import fault

# Without letters that look alike; 20 of 54 letters are 115 bits.
_ALPHABET = "abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXYZ23456789"
_GROUPS, _GROUP = 4, 5


class _MayOrMayNot(Protocol):
    def has_perm(self, perm: str) -> bool: ...


class AccountChange(msgspec.Struct, frozen=True, kw_only=True):
    """Changes of an account; None leaves a field as it is."""

    role: str | None = None
    active: bool | None = None


def draft(username: str, role: str) -> User:
    """An account that is stored nowhere yet. Raises `Refused`."""
    user = User(username=username, role=role)
    found: list[Finding] = []
    try:
        user.clean_fields(exclude=["password"])
    except ValidationError as error:
        for field, messages in error.message_dict.items():
            found.append(fault(f"bad-{field}", field, " ".join(messages)))
        if "username" in error.message_dict:  # SQLite matches no text of 50 000 letters
            raise Refused(tuple(found)) from None
    # Who signs in need not mind capital letters: of two names that differ in nothing else, neither gets in.
    if (taken := User.objects.filter(username__iexact=username).first()) is not None:
        message = f"There is an account {taken.username}. Choose a name that differs in more than capitals."
        found.append(fault("bad-username", "username", message))
    if found:
        raise Refused(tuple(found))
    return user


@sensitive_variables("password")
def create(actor: str, *, username: str, role: str) -> tuple[User, str]:
    """A new account with a password that is shown once. Raises `Refused`."""
    user, password = draft(username, role), new_password()
    user.set_password(password)
    with transaction.atomic():
        draft(username, role)  # once more: another may have been quicker
        user.save(force_insert=True)
        record(actor, "account.create", username, account=user.pk, role=role)
    return user, password


def check_change(actor: str, user: User, wanted: AccountChange) -> None:
    """Whether `change` would do it. Raises `Refused`."""
    if user.username == actor and wanted.active is False:
        message = "That is your own account. Another admin can switch it off."
        raise Refused((fault("own-account", "active", message),))
    role, active = _after(user, wanted)
    if _opens(user.role, active=user.is_active) and not _opens(role, active=active):
        _keep_one(user, "role" if role != Role.ADMIN else "active")


def change(actor: str, user: User, wanted: AccountChange) -> User:
    """Give an account another role, or let nobody sign in with it. Raises `Refused`."""
    with transaction.atomic():
        user = _locked(user)
        check_change(actor, user, wanted)
        before = (user.role, user.is_active)
        user.role, user.is_active = _after(user, wanted)
        if (user.role, user.is_active) != before:
            user.save(update_fields=["role", "is_active"])
            name, active = user.username, user.is_active
            record(actor, "account.change", name, account=user.pk, role=user.role, active=active)
        if not user.is_active:
            sign_out(user)
    return user


def check_reset(actor: str, user: User) -> None:
    """Whether `reset` would do it. Raises `Refused`."""
    if user.username == actor:
        message = "That is your own account: “Change the password” in the settings is for it."
        raise Refused((fault("own-account", "", message),))


def may_give(giver: _MayOrMayNot, role: str) -> bool:
    """Whether `giver`, or the token they act through, has all that `role` has: nobody gives more."""
    return all(giver.has_perm(right) for right in rights(role))


@sensitive_variables("password")
def reset(actor: str, user: User) -> str:
    """A new password, shown once; the second factor goes, and all sessions end. Raises `Refused`."""
    password = new_password()
    kept = make_password(password)  # outside the transaction: it takes its time on purpose
    with transaction.atomic():
        user = _locked(user)
        check_reset(actor, user)
        user.password = kept
        user.save(update_fields=["password"])
        Authenticator.objects.filter(user_id=user.pk).delete()
        sign_out(user)
        record(actor, "account.reset", user.username, account=user.pk)
    return password


def check_delete(actor: str, user: User) -> None:
    """Whether `delete` would do it. Raises `Refused`."""
    if user.username == actor:
        raise Refused((fault("own-account", "", "That is your own account. Another admin can delete it."),))
    if _opens(user.role, active=user.is_active):
        _keep_one(user, "")


def delete(actor: str, user: User) -> None:
    """Delete an account with its tokens. What it did stays on record by its name. Raises `Refused`."""
    with transaction.atomic():
        user = _locked(user)
        check_delete(actor, user)
        sign_out(user)
        record(actor, "account.delete", user.username, account=user.pk)
        user.delete()


def sign_out(user: User) -> None:
    """End all sessions of an account, and those that wait for its second factor. They are few.

    One that waited on would be sent in circles once the second factor is gone.
    """
    waiting = user_pk_to_url_str(user)
    for session in Session.objects.all():
        held = session.get_decoded()
        begun = held.get(LOGIN_SESSION_KEY) or {}
        if str(held.get("_auth_user_id")) == str(user.pk) or begun.get("user_pk") == waiting:
            session.delete()


def has_second_factor(user: User) -> bool:
    """Whether more than a password is asked for."""
    return bool(Authenticator.objects.filter(user_id=user.pk).exists())


def new_password() -> str:
    """Twenty letters and digits in groups: long enough to be safe, short enough to be read out."""
    while True:
        made = "-".join("".join(secrets.choice(_ALPHABET) for _ in range(_GROUP)) for _ in range(_GROUPS))
        try:
            validate_password(made)
        except ValidationError:
            continue
        return made


def _locked(user: User) -> User:
    """The row as it is now. SQLite has one writer: whoever wrote last is seen by whoever writes next.

    Whether the caller may do it was found by the role that `user` has: it has to be that still.
    """
    User.objects.filter(pk=user.pk).update(username=user.username)
    found = User.objects.filter(pk=user.pk).first()
    if found is None:
        raise Refused((fault("unknown-account", "", "This account is gone."),))
    if found.role != user.role:
        message = f"{found.username} was given the role {found.role} just now. Check the account again first."
        raise Refused((fault("changed-meanwhile", "role", message),))
    return found


def _after(user: User, wanted: AccountChange) -> tuple[str, bool]:
    return (
        user.role if wanted.role is None else wanted.role,
        user.is_active if wanted.active is None else wanted.active,
    )


def _opens(role: str, *, active: bool) -> bool:
    return role == Role.ADMIN and active


def _keep_one(user: User, field: str) -> None:
    others = User.objects.filter(role=Role.ADMIN, is_active=True).exclude(pk=user.pk)
    # As after a restore from a copy without secrets: no password fits, until somebody resets it.
    others = others.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX)
    if not others.exists():
        message = f"{user.username} is the last admin who can sign in: nobody could manage accounts any more."
        raise Refused((fault("last-admin", field, message),))
