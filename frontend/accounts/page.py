"""The console's accounts: the list, a further person, and the page of one."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables

from accounts import people, tokens
from accounts.models import Token, User
from accounts.people import AccountChange
from accounts.roles import Role
from frontend.access import page
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.states import tone_view
from jobs.audit import record
from jobs.plan import Refused

ROLES = (
    (Role.VIEWER, "Viewer", "sees the state of the machine, changes nothing"),
    (Role.OPERATOR, "Operator", "everything except destroying data and changing accounts"),
    (Role.ADMIN, "Admin", "full access"),
)
_WORDS = {str(role): title for role, title, _ in ROLES}
_FIELDS = {"username": "username", "role": "role"}


@page("users:read")
@never_cache
@sensitive_variables("password")
def accounts(request: HttpRequest) -> HttpResponseBase:
    """Who enabled; a POST makes an account and shows its password this once."""
    if request.method != "POST":
        return _list(request)
    _refuse_readers(request)
    username, role = request.POST.get("username", "").strip(), request.POST.get("role", "")
    try:
        made, password = people.create(_me(request), username=username, role=role)
    except Refused as refused:
        errors = beside(refused.findings, _FIELDS)
        return _list(request, errors=errors, username=username, role=role, status=422)
    return _list(request, made=made, secret=password)


@page("users:read")
@never_cache
def account(request: HttpRequest, account_id: int) -> HttpResponseBase:
    """One account; a POST changes it."""
    user = User.objects.filter(pk=account_id).first() if account_id < 1 << 63 else None
    if user is None:
        return missing(request, "There is no such account")
    if request.method != "POST":
        return _one(request, user)
    _refuse_readers(request)
    try:
        return _act(request, user)
    except Refused as refused:
        user.refresh_from_db()
        return _one(request, user, errors=beside(refused.findings, _FIELDS), status=422)


@sensitive_variables("password")
def _act(request: HttpRequest, user: User) -> HttpResponseBase:
    """What `do` says. Raises `Refused`."""
    me = _me(request)
    match request.POST.get("do"):
        case "role":
            role = request.POST.get("role", "")
            if role not in _WORDS:
                raise SuspiciousOperation("Unknown role.")
            people.change(me, user, AccountChange(role=role))
            said = f"{user.username} is {_WORDS[role].lower()} now."
        case "off":
            people.change(me, user, AccountChange(active=False))
            said = f"Nobody can sign in as {user.username} any more, and its tokens do not work."
        case "on":
            people.change(me, user, AccountChange(active=True))
            said = f"{user.username} can sign in again."
        case "reset":
            password = people.reset(me, user)
            return _one(request, user, secret=password)
        case "revoke":
            said = _revoke(request, user)
        case "delete":
            people.delete(me, user)
            messages.success(request, f"The account {user.username} was deleted.")
            return redirect("accounts")
        case _:
            raise SuspiciousOperation("Unknown action.")
    messages.success(request, said)
    return redirect("account", user.pk)


def _revoke(request: HttpRequest, user: User) -> str:
    sent = request.POST.get("token", "")
    number = int(sent) if sent.isascii() and sent.isdecimal() and len(sent) < 19 else 0
    token = Token.objects.filter(owner=user, pk=number, revoked=None).first()
    if token is None:
        return "This token was already revoked or expired."
    tokens.revoke(token)
    record(_me(request), "token.revoke", token.name, token=token.pk)
    return f"The token {token.name} was revoked."


def _list(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponseBase:
    rows = [(one, _WORDS.get(one.role, one.role), _state(one)) for one in User.objects.order_by("username")]
    context = {"rows": rows, "roles": ROLES, "role": str(Role.VIEWER), "errors": Errors(), "username": ""}
    return render(request, "accounts/accounts.html", context | _shut(request) | more, status=status)


def _one(request: HttpRequest, user: User, *, status: int = 200, **more: Any) -> HttpResponseBase:
    context = {
        "account": user, "state": _state(user), "title": _WORDS.get(user.role, user.role), "roles": ROLES,
        "mine": user.username == _me(request), "errors": Errors(),
        "tokens": Token.objects.filter(owner=user, revoked=None),
        "second_factor": people.has_second_factor(user),
    }  # fmt: skip
    return render(request, "accounts/account.html", context | _shut(request) | more, status=status)


def _state(user: User) -> Any:
    return tone_view("good", "enabled") if user.is_active else tone_view("idle", "disabled")


def _me(request: HttpRequest) -> str:
    return request.user.get_username()


def _shut(request: HttpRequest) -> dict[str, str | None]:
    may = request.user.has_perm("users:write")
    return {"why_shut": None if may else "Only admins can change accounts."}


def _refuse_readers(request: HttpRequest) -> None:
    if not request.user.has_perm("users:write"):
        raise PermissionDenied("Only admins can change accounts.")
