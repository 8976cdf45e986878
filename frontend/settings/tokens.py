"""API tokens: those of the user, and a new one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from accounts import tokens as account_tokens
from accounts.models import Token, User
from accounts.presets import CUSTOM, PRESETS, Preset
from accounts.roles import SCOPES, may
from frontend.access import page
from frontend.findings import Errors
from jobs.audit import record


@page()
@never_cache
@sensitive_variables("secret")
def tokens(request: HttpRequest) -> HttpResponseBase:
    """The list; a POST creates one and shows it this once: the answer is never stored, and a reload
    creates no second one."""
    if request.method != "POST":
        return _show(request)
    user = _user(request)
    name = request.POST.get("name", "").strip()[:100]
    preset = request.POST.get("preset", CUSTOM)
    ticked = request.POST.getlist("scopes")
    found = next((one for one in _presets(user) if one.name == preset), None)
    chosen = list(found.scopes) if found else ticked
    errors: dict[str, tuple[str, ...]] = {}
    if not name:
        errors["name"] = ("Enter a name that says what the token is for.",)
    if found is None and preset != CUSTOM:
        errors["preset"] = ("Choose one of these.",)
    elif not chosen:
        errors["scopes"] = ("Select at least one scope.",)
    elif not set(chosen) <= set(_offered(user)):
        errors["scopes"] = ("A token cannot have more scopes than your account.",)
    if errors:
        return _show(
            request, errors=Errors(by_field=errors), name=name, preset=preset, chosen=ticked, status=422
        )
    made, secret = account_tokens.create(name=name, scopes=chosen, user=user)
    record(user.get_username(), "token.create", name, scopes=sorted(chosen))
    return _show(request, made=made, secret=secret)


@page()
@require_POST
def revoke(request: HttpRequest, token_id: int) -> HttpResponseBase:
    """End one of the user's tokens."""
    token = get_object_or_404(Token, pk=token_id, owner=_user(request))
    account_tokens.revoke(token)
    record(_user(request).get_username(), "token.revoke", token.name)
    return redirect("tokens")


def _show(request: HttpRequest, *, status: int = 200, **more: Any) -> HttpResponseBase:
    user = _user(request)
    shown = [(token, _words(token)) for token in Token.objects.filter(owner=user, revoked=None)]
    context: dict[str, Any] = {
        "tokens": shown,
        "presets": _presets(user),
        "scopes": _offered(user),
        "errors": Errors(),
        "preset": "read",
        "chosen": [],
        "name": "",
    }
    return render(request, "settings/tokens.html", context | more, status=status)


def _presets(user: User) -> tuple[Preset, ...]:
    """Those that the user may give away."""
    offered = set(_offered(user))
    return tuple(one for one in PRESETS if set(one.scopes) <= offered)


def _words(token: Token) -> str:
    """The scopes by the name of their set, else one by one."""
    same = (one.title for one in PRESETS if set(one.scopes) == set(token.scopes))
    return next(same, ", ".join(token.scopes))


def _offered(user: User) -> list[str]:
    return [scope for scope in SCOPES if may(user, scope)]


def _user(request: HttpRequest) -> User:
    # `page` let only signed-in users through, and sessions belong to people, not to tokens.
    assert isinstance(request.user, User)  # noqa: S101
    return request.user
