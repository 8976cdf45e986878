"""Reads query parameters. A misspelt `?dryrun=true` must not act, so unknown parameters are refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar

from rest_framework.request import Request

from jobs.plan import Refused
from jobs.planning.findings import fault

T = TypeVar("T")
LIMIT_DEFAULT, LIMIT_MOST = 100, 1000


def known_only(request: Request, names: frozenset[str]) -> None:
    """Raises `Refused` with each parameter that is not among `names`, or that is given twice."""
    findings = []
    for name, values in request.query_params.lists():
        shown = name[:60]
        if name not in names:
            message = f"There is no parameter “{shown}” here; known are {', '.join(sorted(names)) or 'none'}."
            findings.append(fault("unknown-parameter", shown, message))
        elif len(values) > 1:
            findings.append(fault("repeated-parameter", shown, "Give this parameter once."))
    if findings:
        raise Refused(tuple(findings))


def flag(request: Request, name: str) -> bool:
    """A parameter that is true or false; false when absent. Raises `Refused`."""
    return _read(request, name, False, _BOOLEANS.__getitem__, "Use true or false.")


def limit(request: Request) -> int:
    """How many results a page may hold. Raises `Refused`."""
    return number(request, "limit", default=LIMIT_DEFAULT, most=LIMIT_MOST)


def number(request: Request, name: str, *, default: int, most: int) -> int:
    """A whole number from 1 to `most`. Raises `Refused`."""

    def read(value: str) -> int:
        found = int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else 0
        if not 1 <= found <= most:
            raise ValueError(value)
        return found

    return _read(request, name, default, read, f"Use a number from 1 to {most}.")


def cursor(request: Request) -> str | None:
    """Where the page starts, as an earlier answer's `next` had it."""
    return request.query_params.get("cursor")


def choice(request: Request, name: str, choices: tuple[str, ...]) -> str | None:
    """One of `choices`, or None when absent. Raises `Refused`."""

    def chosen(value: str) -> str | None:
        return choices[choices.index(value)]

    return _read(request, name, None, chosen, f"Use one of {', '.join(choices)}.")


def moment(request: Request, name: str) -> datetime | None:
    """A time in ISO 8601, UTC unless it says otherwise; None when absent. Raises `Refused`."""
    return _read(request, name, None, _moment, "Use a time such as 2026-11-21T12:00:00Z.")


def bad_value(name: str, message: str) -> Refused:
    """For a parameter that makes no sense beside the others."""
    return Refused((fault("bad-value", name, message),))


def bad_cursor() -> Refused:
    """For a cursor that no answer ever had."""
    return Refused((fault("bad-cursor", "cursor", "Use the address in “next” as it is."),))


def required(name: str, message: str) -> Refused:
    """For a parameter that must be there."""
    return Refused((fault("required", name, message),))


def _read[T](request: Request, name: str, default: T, read: Callable[[str], T], message: str) -> T:
    value = request.query_params.get(name)
    if value is None:
        return default
    try:
        return read(value)
    except (KeyError, ValueError):
        raise Refused((fault("bad-value", name, message),)) from None


def _moment(value: str) -> datetime | None:
    read = datetime.fromisoformat(value)
    return read if read.tzinfo else read.replace(tzinfo=UTC)


_BOOLEANS = {"true": True, "false": False}
