"""Sign-in, second factor and password: those pages of the sign-in library that make sense here.

The others need e-mail or open sign-up. They keep their names, which templates resolve, and answer 404.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.urls import urlpatterns as account_pages
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import URLPattern, include, path

from accounts import setup
from nasweb import errors

_KEPT = {
    "account_login",
    "account_logout",
    "account_inactive",
    "account_reauthenticate",
    "account_change_password",
}


def _kept(page: URLPattern) -> URLPattern:
    if page.name not in _KEPT:
        page.callback = login_not_required(errors.not_found)
    if page.name == "account_login":
        page.callback = _once_there_is_an_account(page.callback)
    return page


def _once_there_is_an_account(sign_in: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Nobody can sign in on a machine that nobody has claimed: its first page asks for the code."""

    @wraps(sign_in)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return redirect("claim") if setup.needed() else sign_in(request, *args, **kwargs)

    return answer


urlpatterns = [
    *(_kept(page) for page in account_pages if isinstance(page, URLPattern)),
    path("2fa/", include("allauth.mfa.urls")),
]
