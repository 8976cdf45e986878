"""What a request for a chart asks for, and what is wrong with it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
from django.http import HttpRequest

from frontend.charts.kinds import KINDS, Kind

RANGES: dict[str, tuple[str, timedelta]] = {
    "hour": ("Hour", timedelta(hours=1)),
    "day": ("Day", timedelta(days=1)),
    "week": ("Week", timedelta(days=7)),
    "month": ("Month", timedelta(days=31)),
    "year": ("Year", timedelta(days=366)),
    "all": ("2 years", timedelta(days=731)),
}
_USUAL = "day"
_LONGEST_NAME = 300


class Wrong(Exception):
    """A parameter that makes no sense: its name, and what to do."""

    def __init__(self, field: str, message: str) -> None:
        self.field, self.message = field, message
        super().__init__(message)


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A chart of one subject, or of two, over a time."""

    kind: Kind
    subject: str  # what the names of its series end in; empty of the machine
    beside: str  # a second subject of the same kind; empty for none
    since: datetime
    until: datetime

    def series(self) -> list[tuple[str, int, str]]:
        """The label of each line, of which subject it is (0 or 1), and the name of its series."""
        subjects = [self.subject, *([self.beside] if self.beside else [])]
        return [
            (line.label, which, f"{line.series}:{subject}" if subject else line.series)
            for which, subject in enumerate(subjects)
            for line in self.kind.lines
        ]


def span_of(request: HttpRequest) -> tuple[datetime, datetime]:
    """From when to when: `from` and `to` (seconds since 1970), else the `range` until now. Raises `Wrong`."""
    now = datetime.now(UTC)
    if "from" in request.GET or "to" in request.GET:
        since, until = _moment(request, "from"), _moment(request, "to")
        if since >= until:
            raise Wrong("from", "This is not before “to”.")
        return since, until
    return now - RANGES[range_of(request)][1], now


def range_of(request: HttpRequest) -> str:
    """The name of the range. Raises `Wrong`."""
    name = request.GET.get("range", _USUAL)
    if name not in RANGES:
        raise Wrong("range", f"Use one of {', '.join(RANGES)}.")
    return name


def asked_of(request: HttpRequest) -> Asked:
    """Raises `Wrong`."""
    key, _, subject = request.GET.get("chart", "").partition(":")
    kind = KINDS.get(key)
    if kind is None:
        raise Wrong("chart", f"Use one of {', '.join(KINDS)}.")
    if (kind.of == "machine") == bool(subject):
        raise Wrong("chart", f"Use {key}." if subject else f"Say of which {kind.of}: {key}:<name>.")
    beside = request.GET.get("with", "")
    if beside and kind.of == "machine":
        raise Wrong("with", "There is only one machine.")
    if max(len(subject), len(beside)) > _LONGEST_NAME:
        raise Wrong("chart", "This name is too long.")
    since, until = span_of(request)
    return Asked(kind=kind, subject=subject, beside=beside, since=since, until=until)


def _moment(request: HttpRequest, name: str) -> datetime:
    text = request.GET.get(name, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 11):
        raise Wrong(name, "Use seconds since 1970, both in “from” and “to”.")
    return datetime.fromtimestamp(int(text), UTC)
