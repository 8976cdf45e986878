"""When there is something new: a change of the database, or new points of the time series."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from jobs import waiting

PERIOD_S = 1.0
_QUIET_S = 3  # after so long something is sent anyway: only that shows whether the browser has gone
_LONGEST_S = 300  # then the browser opens another, and is asked again who it is
CHANGE, POINTS = b"event: change\ndata:\n\n", b"event: points\ndata:\n\n"
_BEGIN, _QUIET = b"retry: 2000\n\n", b":\n\n"


def lines(wait: Callable[[float], bool] = waiting.stopping.wait) -> Iterator[bytes]:
    """Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html), at most
    one of each kind a second. They carry nothing: a page reads what it shows by itself, by its own rules.

    Ends after five minutes, and at once when `wait`, given seconds, is true: the server stops.
    """
    yield _BEGIN
    version, points = _version(), _points()
    quiet = 0
    for _ in range(int(_LONGEST_S / PERIOD_S)):
        if wait(PERIOD_S):
            return
        quiet += 1
        before = version, points
        version, points = _version(), _points()
        news = [line for line, old, new in zip(
            (CHANGE, POINTS), before, (version, points), strict=True) if old != new]  # fmt: skip
        if news:
            yield b"".join(news)
            quiet = 0
        elif quiet * PERIOD_S >= _QUIET_S:
            yield _QUIET
            quiet = 0


def _version() -> int:
    """Differs once another connection has committed: https://sqlite.org/pragma.html#pragma_data_version."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        (version,) = cursor.fetchone()
    return int(version)


def _points() -> int:
    """Differs once points were recorded."""
    try:
        return Path(settings.NASWEB_RECENT).stat().st_mtime_ns
    except FileNotFoundError:
        return 0
