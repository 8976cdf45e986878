"""Who may see a page, and why a button is shut."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
)
from django_htmx.http import HttpResponseClientRefresh

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def page(scope: str | None = None) -> Callable[[View[P]], View[P]]:
    """For signed-in users whose role allows `scope`; others are sent to sign in, or told why not."""

    def decorate(view: View[P]) -> View[P]:
        # Django's own check would answer a poll with the sign-in page; this one knows better.
        @login_not_required
        @wraps(view)
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                # A poll must not swap the sign-in page into a corner of this one.
                if is_htmx(request):
                    return HttpResponseClientRefresh()
                return redirect_to_login(request.get_full_path())
            if scope is not None and not request.user.has_perm(scope):
                raise PermissionDenied(f"Your role does not allow {scope}.")
            answer = view(request, *args, **kwargs)
            # Whoever reloads what a form was answered with, or signs in there, gets a page.
            if request.method == "GET" and isinstance(answer, HttpResponseNotAllowed):
                return HttpResponseRedirect("/")
            return answer

        return guarded

    return decorate


def why_shut(user: Any, *scopes: str) -> str | None:
    """Why the user cannot press a button that needs `scopes`; None when it is open."""
    missing = [scope for scope in scopes if not user.has_perm(scope)]
    if not missing:
        return None
    if missing == ["destroy"]:
        return "Your role does not allow destroying anything. An admin can do it."
    return "Your role only allows reading. An operator or an admin can do it."


def is_htmx(request: HttpRequest) -> bool:
    """True for requests that want a part of a page. (A restored history entry wants the whole.)"""
    return request.headers.get("HX-Request") == "true" and "HX-History-Restore-Request" not in request.headers


def part(request: HttpRequest, template: str) -> str:
    """The template, or its live part where a poll asks for that."""
    return f"{template}#live" if is_htmx(request) and "seen" in request.GET else template


def unchanged(request: HttpRequest, mark: str) -> HttpResponse | None:
    """The empty answer to a poll that has seen `mark` already."""
    if is_htmx(request) and request.GET.get("seen") == mark:
        return HttpResponse(status=204)
    return None
