"""Colours and density of the pages, as this browser asked for them.

A cookie, so that the first byte of each page says it already: nothing flashes, and no script is needed.
"""

from __future__ import annotations

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase

_KEPT_S = 400 * 86_400  # as long as browsers keep any cookie


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """A value of a look, and what it is called."""

    name: str
    title: str


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can be chosen; the first choice is what is seen where nothing was."""

    name: str
    title: str
    choices: tuple[Choice, ...]
    chosen: str = ""

    @property
    def cookie(self) -> str:
        """The name of its cookie."""
        return f"nasweb_{self.name}"


LOOKS = (
    Look(
        name="theme",
        title="Theme",
        choices=(
            Choice(name="system", title="System"),
            Choice(name="light", title="Light"),
            Choice(name="dark", title="Dark"),
        ),
    ),
    Look(
        name="density",
        title="Density",
        choices=(
            Choice(name="comfortable", title="Comfortable"),
            Choice(name="compact", title="Compact"),
        ),
    ),
)


def looks(request: HttpRequest) -> tuple[Look, ...]:
    """What is chosen now; a cookie that says anything else counts as none."""
    return tuple(
        msgspec.structs.replace(look, chosen=_known(look, request.COOKIES.get(look.cookie, "")))
        for look in LOOKS
    )


def remember(request: HttpRequest, response: HttpResponseBase) -> None:
    """Keep in the browser what `request` chose; what is not offered is ignored."""
    for look in LOOKS:
        asked = request.POST.get(look.name, "")
        if any(choice.name == asked for choice in look.choices):
            response.set_cookie(
                look.cookie, asked, max_age=_KEPT_S, secure=settings.SESSION_COOKIE_SECURE, httponly=True,
                samesite="Lax",
            )  # fmt: skip


def _known(look: Look, value: str) -> str:
    names = [choice.name for choice in look.choices]
    return value if value in names else names[0]
