"""Visits of disks that are plugged in now and then, as rows have them."""

from __future__ import annotations

from host import typed
from replication.models import TargetRow
from replication.rotating.rules import Visit


def visit_of(row: TargetRow) -> Visit | None:
    """None for a target that does not rotate, or does so no more."""
    return typed.convert(row.visit, Visit) if row.value.get("rotating") else None


def visits() -> list[tuple[TargetRow, Visit]]:
    """Of all that rotate."""
    found = ((row, visit_of(row)) for row in TargetRow.objects.all())
    return [(row, visit) for row, visit in found if visit is not None]
