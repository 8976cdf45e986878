"""Settings: tokens for scripts, and the account."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from accounts import tokens
from accounts.models import Token, User
from accounts.roles import SCOPES, may
from frontend.access import page
from frontend.findings import Errors
from jobs.audit import record


@page()
def settings(request: HttpRequest) -> HttpResponseBase:
    """The page as it is."""
    return _show(request)


@page()
@require_POST
@never_cache
@sensitive_variables("secret")
def create(request: HttpRequest) -> HttpResponseBase:
    """Make a token and show it this once: the answer is never stored, and a reload makes no second one."""
    name = request.POST.get("name", "").strip()[:100]
    chosen = request.POST.getlist("scopes")
    user = _user(request)
    errors: dict[str, tuple[str, ...]] = {}
    if not name:
        errors["name"] = ("Give it a name, so that you know later what it is for.",)
    if not chosen:
        errors["scopes"] = ("Tick what it may do.",)
    elif not set(chosen) <= set(_offered(user)):
        errors["scopes"] = ("A token may not do more than you.",)
    if errors:
        return _show(request, errors=Errors(by_field=errors), name=name, chosen=chosen, status=422)
    made, secret = tokens.create(name=name, scopes=chosen, user=user)
    record(user.get_username(), "token.create", name, scopes=sorted(chosen))
    return _show(request, made=made, secret=secret)


@page()
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponseBase:
    """End one of the user's tokens."""
    token = get_object_or_404(Token, pk=token_id, owner=_user(request))
    tokens.revoke(token)
    record(_user(request).get_username(), "token.revoke", token.name)
    return redirect("settings")


def _show(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponseBase:
    user = _user(request)
    context: dict[str, Any] = {
        "tokens": Token.objects.filter(owner=user, revoked=None),
        "scopes": _offered(user),
        "errors": Errors(),
        "chosen": [],
        "name": "",
    }
    return render(request, "settings/settings.html", context | more, status=status)


def _offered(user: User) -> list[str]:
    return [scope for scope in SCOPES if may(user, scope)]


def _user(request: HttpRequest) -> User:
    # `page` let only signed-in users through, and sessions belong to people, not to tokens.
    assert isinstance(request.user, User)  # noqa: S101
    return request.user
