"""Second copies: how old they are, and how old they may become."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from alerts.report.value import CopyHealth
from nasweb.metrics.values import Family, gauge


def of_copies(copies: Iterable[CopyHealth], now: datetime) -> Iterator[Family]:
    """A copy that was never made, or never proven, has no age."""
    known = [({"kind": one.kind, "name": one.name, "target": one.target}, one) for one in copies]
    yield gauge(
        "copy_age_seconds", "Age of the oldest of a second copy's newest states.",
        ((of, _age(one.copied_at, now)) for of, one in known),
    )  # fmt: skip
    yield gauge(
        "copy_longest_age_seconds", "How old it may become.",
        ((of, float(one.longest_age_s)) for of, one in known),
    )  # fmt: skip
    yield gauge("copy_late", "1 for one that is older.", ((of, float(one.late)) for of, one in known))
    yield gauge(
        "copy_proven_age_seconds", "How long ago files of it were read back and found to be the same.",
        ((of, _age(one.proven_at, now)) for of, one in known),
    )  # fmt: skip


def _age(moment: str | None, now: datetime) -> float | None:
    return None if moment is None else max(0.0, (now - datetime.fromisoformat(moment)).total_seconds())
