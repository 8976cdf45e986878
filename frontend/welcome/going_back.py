"""The way back to the wizard from the pages that it leads to.

The session holds the name of a step, one of a closed set, and no address: so nothing that a link or a form
says can lead elsewhere. It lasts over plans and jobs until the wizard's owner goes to the overview.
"""

from __future__ import annotations

import msgspec
from django.http import HttpRequest

from machine.first_boot.state import STEPS, Step
from machine.first_boot.words import title_of

_KEY = "welcome"


class ReturnView(msgspec.Struct, frozen=True, kw_only=True):
    """The step that somebody is at, and where it is."""

    title: str
    href: str


def enter(request: HttpRequest, step: Step) -> None:
    """Somebody is at this step from now on."""
    if request.session.get(_KEY) != step:
        request.session[_KEY] = step


def leave(request: HttpRequest) -> None:
    """Nobody is led back any more."""
    request.session.pop(_KEY, None)


def by_steps(request: HttpRequest) -> bool:
    """Whether somebody is going through the steps one by one."""
    return request.session.get(_KEY) in STEPS


def underway(request: HttpRequest) -> ReturnView | None:
    """Where to go back to; None on the wizard's own pages, and where nobody came from it."""
    step = next((one for one in STEPS if one == request.session.get(_KEY)), None)
    if step is None or request.path.startswith("/welcome/"):
        return None
    return ReturnView(title=title_of(step), href=f"/welcome/{step}/")
