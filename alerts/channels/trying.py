"""When a message that could not be sent is tried again. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

GIVEN_UP_AFTER = timedelta(days=1)
FEWEST_TRIES = 6  # a clock that is set forward by a day takes none of them away
_PAUSES = (timedelta(minutes=1), timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1))
LONGEST_PAUSE = _PAUSES[-1]


def next_try(tries: int, created_at: datetime, now: datetime) -> datetime | None:
    """The time after `tries` (from 1) have failed; None once a day has passed."""
    when = now + _PAUSES[min(tries, len(_PAUSES)) - 1]
    return when if when - created_at <= GIVEN_UP_AFTER or tries < FEWEST_TRIES else None
