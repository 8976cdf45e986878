"""Sign-in, second factor and password: those pages of the sign-in library that make sense here.

The others need e-mail or open sign-up. They keep their names, which templates resolve, and answer 404.
"""

from __future__ import annotations

from allauth.account.urls import urlpatterns as account_pages
from django.contrib.auth.decorators import login_not_required
from django.urls import URLPattern, include, path

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
    return page


urlpatterns = [
    *(_kept(page) for page in account_pages if isinstance(page, URLPattern)),
    path("2fa/", include("allauth.mfa.urls")),
]
