"""The first account, made with the one-time link that the installation printed."""

from __future__ import annotations

from django.conf import settings as django_settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters

from frontend.findings_view import Errors
from nasweb.accounts import setup


@login_not_required
@sensitive_post_parameters("password", "again")
def first_account(request: HttpRequest, code: str) -> HttpResponseBase:
    """The form, or the account made and signed in."""
    username = request.POST.get("username", "").strip()
    if request.method != "POST":
        usable = setup.valid(code)
        context = {"errors": Errors(), "usable": usable}
        return render(request, "first_account.html", context, status=200 if usable else 404)
    password, again = request.POST.get("password", ""), request.POST.get("again", "")
    errors = _missing(username, password, again)
    if not errors:
        try:
            user = setup.claim(code, username, password)
        except setup.SetupRefused as refused:
            said = (str(refused),)
            errors = Errors(by_field={refused.field: said}) if refused.field else Errors(others=said)
        else:
            login(request, user, backend=django_settings.AUTHENTICATION_BACKENDS[0])
            return redirect("overview")
    context = {"errors": errors, "username": username, "usable": True}
    return render(request, "first_account.html", context, status=422)


def _missing(username: str, password: str, again: str) -> Errors:
    found: dict[str, tuple[str, ...]] = {}
    if not username:
        found["username"] = ("Give a user name.",)
    if not password:
        found["password"] = ("Give a password.",)
    elif password != again:
        found["again"] = ("The two passwords differ.",)
    return Errors(by_field=found)
