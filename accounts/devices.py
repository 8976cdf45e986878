"""Browsers that signed in before ("device cookies", OWASP): whoever guesses at a name cannot shut these out.

The cookie holds the names that signed in with this browser, signed. It opens nothing: a browser that has it
counts its own wrong passwords and codes for these names, instead of sharing the count of its address.
"""

from __future__ import annotations

import secrets

from allauth.core.internal import ratelimit
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponseBase

COOKIE = "nasweb_known"
_SALT = "nasweb.accounts.devices"  # as it was first: it is part of keys that browsers hold
_KEPT_S = 365 * 86_400
_MOST_NAMES = 8
_LONGEST = 2048


def known(request: HttpRequest, name: str) -> str | None:
    """What the browser's own count goes by, where `name` signed in with it before."""
    device, names = _read(request)
    return device if device and name.lower() in names else None


def count(request: HttpRequest, name: str, kind: str) -> ratelimit.RateLimitUsage | None:
    """Count a guess at what `name` signs in with, before it is checked; None where it is one too many.

    `kind` is `login` or `code`: of each there are three counts in the settings. Of all strangers together a
    name has a far larger one than each of them. What is returned is given back where the guess was right.
    """
    name = name.lower()
    if device := known(request, name):
        counts = [(f"{kind}_known", f"{device}:{name}")]
    else:
        counts = [(f"{kind}_failed", f"{ratelimit.get_ip(request)}:{name}"), (f"{kind}_strangers", name)]
    used = ratelimit.RateLimitUsage(usage=[])
    for action, key in counts:
        found = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if found is None:
            return None
        used.usage += found.usage
    return used


def remember(request: HttpRequest, response: HttpResponseBase, name: str) -> None:
    """Note on the browser that `name` has signed in."""
    device, names = _read(request)
    names = [name.lower(), *(one for one in names if one != name.lower())][:_MOST_NAMES]
    response.set_cookie(
        COOKIE,
        signing.dumps([device or secrets.token_hex(16), names], salt=_SALT),
        max_age=_KEPT_S,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Strict",
    )


def _read(request: HttpRequest) -> tuple[str, list[str]]:
    sent = request.COOKIES.get(COOKIE, "")
    if not sent.isascii() or len(sent) > _LONGEST:
        return "", []
    try:
        device, names = signing.loads(sent, salt=_SALT, max_age=_KEPT_S)
    except signing.BadSignature:
        return "", []
    return str(device), [str(one) for one in names]
