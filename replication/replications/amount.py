"""How much a run would send, and how long that takes at the rate of earlier ones."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from replication.models import RunRow
from replication.replications.progress import RunProgress

_LEAST_BYTES = 64 << 20  # less says nothing of the rate: the time went by with looking
_FULL = 0.95  # of what is free: no pool should become fuller


class Amount(msgspec.Struct, frozen=True, kw_only=True):
    """What a run would send. `seconds` is None while no rate is known; `behind` are those that it cannot."""

    size_bytes: int
    datasets: int
    first: int
    behind: int
    seconds: float | None
    too_little_room: bool


def amount_of(plan: RunProgress, runs: Iterable[RunRow]) -> Amount:
    """Of what the question `replication.estimate` answered."""
    waiting = [one for one in plan.datasets if one.state == "waiting"]
    rate = rate_of(runs)
    free = plan.available_bytes
    return Amount(
        size_bytes=plan.expected_bytes,
        datasets=len(waiting),
        first=sum(one.first for one in waiting),
        behind=sum(one.state == "conflict" for one in plan.datasets),
        seconds=plan.expected_bytes / rate if rate else None,
        too_little_room=free is not None and plan.expected_bytes > free * _FULL,
    )


def rate_of(runs: Iterable[RunRow]) -> float | None:
    """Bytes a second of the newest run that sent enough to tell; `runs` are newest first."""
    for run in runs:
        seconds = (run.finished - run.started).total_seconds()
        if run.sent_bytes >= _LEAST_BYTES and seconds >= 1:
            return run.sent_bytes / seconds
    return None
