"""The first account, made with the code on the machine's screen or with a one-time link."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings as django_settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from accounts import setup
from accounts.models import User
from frontend.findings import Errors

Make = Callable[[str, str], User]


@login_not_required
@never_cache
@sensitive_post_parameters("code", "password", "again")
def claim(request: HttpRequest) -> HttpResponseBase:
    """The first page of a machine that nobody has claimed: asks for the code that its screen shows."""
    if not setup.needed():
        return redirect("overview" if request.user.is_authenticated else "account_login")
    if request.method != "POST":
        return _form(request, by_screen=True)
    typed, address = request.POST.get("code", ""), get_adapter().get_client_ip(request)

    def make(username: str, password: str) -> User:
        return setup.claim_by_screen(typed, username, password, address=address)

    return _make(request, make, by_screen=True)


@login_not_required
@never_cache
@sensitive_post_parameters("password", "again")
def first_account(request: HttpRequest, code: str) -> HttpResponseBase:
    """The form of the link, or the account made and signed in."""
    if request.method != "POST":
        return _form(request) if setup.valid(code) else _form(request, usable=False, status=404)
    return _make(request, lambda username, password: setup.claim(code, username, password))


def _make(request: HttpRequest, make: Make, *, by_screen: bool = False) -> HttpResponseBase:
    username = request.POST.get("username", "").strip()
    password, again = request.POST.get("password", ""), request.POST.get("again", "")
    missing = _missing(username, password, again)
    if by_screen and not request.POST.get("code", "").strip():
        missing["code"] = ("Enter the code shown on the NAS's screen.",)
    errors = Errors(by_field=missing)
    if not errors:
        try:
            user = make(username, password)
        except setup.SetupRefused as refused:
            said = (str(refused),)
            errors = Errors(by_field={refused.field: said}) if refused.field else Errors(others=said)
        else:
            login(request, user, backend=django_settings.AUTHENTICATION_BACKENDS[0])
            return redirect("welcome")
    return _form(request, errors=errors, username=username, status=422, by_screen=by_screen)


def _form(
    request: HttpRequest, *, status: int = 200, usable: bool = True, by_screen: bool = False, **more: Any
) -> HttpResponseBase:
    context = {
        "errors": Errors(),
        "usable": usable,
        "by_screen": by_screen,
        "code": request.POST.get("code", ""),
    }
    return render(request, "accounts/first_account.html", context | more, status=status)


def _missing(username: str, password: str, again: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    if not username:
        found["username"] = ("Give a user name.",)
    if not password:
        found["password"] = ("Give a password.",)
    elif password != again:
        found["again"] = ("The passwords differ.",)
    return found
