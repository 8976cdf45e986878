"""What runs on schedule, as plans and pages see it; stored and filled in by `jobs`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

MissedRule = Literal["run", "skip"]


class Schedule(msgspec.Struct, frozen=True, kw_only=True):
    """An operation that is submitted again and again. Times are ISO 8601, UTC."""

    id: int
    operation: str  # dotted, such as pool.scrub
    request: dict[str, Any]
    subject: str  # what it is about, by a name that never changes: pool:<guid>
    cron: str  # minute, hour, day of month, month, day of week: all five must fit
    time_zone: str  # IANA name
    missed: MissedRule  # a time at which the machine was off: run when it is on again, or skip
    enabled: bool
    longest_age_days: int | None = None  # without a run: overdue
    owner: str = ""  # who made or changed it last; empty for a default
    handled: str  # all times up to this one were run, skipped, or lay before it was made
    waiting_since: str | None = None  # a time that has come, and that something keeps from running
    said: str = ""  # what became of the last time
    last_job: int | None = None
    last_run: str | None = None
