"""`accounts/`: who may sign in to the console, and as what. A password is made here and shown once."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from django.db.models import Count, Q
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables
from msgspec import Meta
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import people
from accounts.models import User
from accounts.people import AccountChange
from host import typed
from jobs.api import paging, query
from jobs.api.document import DRY_RUN, PAGING, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, user_of
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode

RoleName = Literal["viewer", "operator", "admin"]
_NOT_STORED = {"Cache-Control": "no-store"}  # nobody on the way keeps a password


class CreateAccount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account for a further person."""

    username: Annotated[str, Meta(min_length=1, max_length=150)]
    role: RoleName = "viewer"


class ChangeAccount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Another role, or whether anybody may sign in with it; what is left out stays."""

    role: RoleName | None = None
    active: bool | None = None


class ResetAccount(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An empty body."""


class AccountPlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An account as it would be."""

    username: str
    role: RoleName
    active: bool


class AccountAnswer(AccountPlanAnswer, frozen=True, kw_only=True):
    """An account. `tokens` counts those that work."""

    id: int
    created_at: Moment
    second_factor: bool
    tokens: int


class NewAccountAnswer(AccountAnswer, frozen=True, kw_only=True):
    """An account with its new password, which is never shown again."""

    password: str


class AccountPage(msgspec.Struct, frozen=True, kw_only=True):
    """Accounts, newest first."""

    results: tuple[AccountAnswer, ...]
    next: str | None


class Accounts(View):
    """All accounts."""

    area = "users"

    @describe("list_accounts", {200: AccountPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of accounts."""
        return paging.of_rows(request, _rows(), show=_answer)

    @describe(
        "create_account",
        {200: AccountPlanAnswer, 201: NewAccountAnswer},
        request=CreateAccount,
        parameters=[DRY_RUN],
    )
    @sensitive_variables("password")
    def post(self, request: Request) -> Response:
        """Make an account; the answer is the only one that holds its password."""
        asked = decode(CreateAccount, request.data)
        _may_give(request, asked.role)
        user = people.draft(asked.username, asked.role)
        if query.flag(request, "dry_run"):
            return Response(_as_asked(user))
        made, password = people.create(_actor(request), username=asked.username, role=asked.role)
        answer = NewAccountAnswer(password=password, **_fields(_row(made.pk)))
        headers = {"Location": f"/api/v1/accounts/{made.pk}/", **_NOT_STORED}
        return Response(answer, status=201, headers=headers)


class OneAccount(View):
    """One account."""

    area = "users"

    @describe("get_account", {200: AccountAnswer})
    def get(self, request: Request, account_id: int) -> Response:
        """The account."""
        return Response(_answer(_row(account_id)))

    @describe("change_account", {200: AccountAnswer}, request=ChangeAccount, parameters=[DRY_RUN])
    def patch(self, request: Request, account_id: int) -> Response:
        """Give it another role, or switch it off or on; switched off, its sessions and tokens end."""
        user, asked = _row(account_id), decode(ChangeAccount, request.data)
        _may_give(request, user.role)
        _may_give(request, asked.role or user.role)
        wanted = AccountChange(role=asked.role, active=asked.active)
        people.check_change(_actor(request), user, wanted)
        if not query.flag(request, "dry_run"):
            people.change(_actor(request), user, wanted)
            return Response(_answer(_row(account_id)))
        user.role = asked.role or user.role
        user.is_active = user.is_active if asked.active is None else asked.active
        return Response(_answer(user))

    @describe("delete_account", {200: AccountAnswer, 204: None}, parameters=[DRY_RUN])
    def delete(self, request: Request, account_id: int) -> Response:
        """Delete it with its tokens; a dry run shows which one that would be."""
        user = _row(account_id)
        _may_give(request, user.role)
        people.check_delete(_actor(request), user)
        if query.flag(request, "dry_run"):
            return Response(_answer(user))
        people.delete(_actor(request), user)
        return Response(status=204)


class Reset(View):
    """A new password for whoever lost theirs."""

    area = "users"

    @describe(
        "reset_account",
        {200: AccountAnswer, 201: NewAccountAnswer},
        request=ResetAccount,
        parameters=[DRY_RUN],
    )
    @sensitive_variables("password")
    def post(self, request: Request, account_id: int) -> Response:
        """Make a new password, which is shown once; the second factor goes, sessions end, tokens stay."""
        user = _row(account_id)
        decode(ResetAccount, request.data)
        _may_give(request, user.role)
        people.check_reset(_actor(request), user)
        if query.flag(request, "dry_run"):
            return Response(_answer(user))
        password = people.reset(_actor(request), user)
        answer = NewAccountAnswer(password=password, **_fields(_row(account_id)))
        return Response(answer, status=201, headers=_NOT_STORED)


def _may_give(request: Request, role: str) -> None:
    """A token for accounts alone is none to become an admin with. Raises `Refused`."""
    if not people.may_give(user_of(request), role):
        message = f"This needs all that the role {role} may do, of yourself and of your token."
        raise Refused((fault("not-your-role", "role", message),))


def _actor(request: Request) -> str:
    return user_of(request).get_username()


def _rows() -> Any:
    lasts = Q(tokens__expires=None) | Q(tokens__expires__gt=timezone.now())
    usable = Q(tokens__pk__isnull=False) & Q(tokens__revoked=None) & lasts & Q(is_active=True)
    return User.objects.annotate(
        working=Count("tokens", filter=usable, distinct=True), factors=Count("authenticator", distinct=True)
    )


def _row(account_id: int) -> Any:
    user = _rows().filter(pk=account_id).first() if account_id < 1 << 63 else None
    if user is None:
        raise NotFound("There is no such account.")
    return user


def _as_asked(user: User) -> AccountPlanAnswer:
    return typed.convert(
        {"username": user.username, "role": user.role, "active": user.is_active}, AccountPlanAnswer
    )


def _fields(user: Any) -> dict[str, Any]:
    return {
        "username": user.username, "role": user.role, "active": user.is_active, "id": user.pk,
        "created_at": user.created.isoformat(), "second_factor": bool(user.factors), "tokens": user.working,
    }  # fmt: skip


def _answer(user: Any) -> AccountAnswer:
    return AccountAnswer(**_fields(user))
