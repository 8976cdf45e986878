"""What to do next, as buttons: a plan, a page, a light, or commands to copy."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec

from alerts.remedy import Remedy
from frontend.access import why_shut
from frontend.bays.lights import Spot
from jobs.operation import operations, title_of


class RemedyView(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to do: by a light, an operation or a page, if by any; `why_shut` closes its button."""

    words: str
    button: str = ""
    spot: Spot | None = None  # its light is what is meant
    operation: str = ""
    request_json: str = ""
    page: str = ""
    commands: tuple[tuple[str, ...], ...] = ()
    why_shut: str = ""


def remedies(steps: Iterable[Remedy], user: Any) -> tuple[RemedyView, ...]:
    """The steps in their order, each with its button where there is one."""
    return tuple(_view(step, user) for step in steps)


def _view(step: Remedy, user: Any) -> RemedyView:
    commands = tuple(tuple(line.split()) for line in step.commands)
    if step.operation == "disk.locate":
        spot = Spot(id=step.request["disk"], bay=step.request["bay"])
        return RemedyView(words=step.words, spot=spot)
    known = operations().get(step.operation or "")
    if known is not None:
        return RemedyView(
            words=step.words, button=title_of(known.name, step.request), operation=known.name,
            request_json=json.dumps(step.request), why_shut=why_shut(user, known.scope) or "",
        )  # fmt: skip
    return RemedyView(words=step.words, page=step.page or "", button=step.label, commands=commands)
