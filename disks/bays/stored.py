"""The one row that remembers the case."""

from __future__ import annotations

import msgspec
from django.utils import timezone

from disks.layout import Case, Layout, Teaching
from disks.models import StoredCase
from host import typed


def stored() -> Case:
    """What is remembered of the case; without a layout before one was set."""
    row = StoredCase.objects.filter(pk=1).first()
    if row is None:
        return Case()
    return typed.convert(
        {"layout": row.layout, "teachings": row.teachings, "changed_at": row.changed_at.isoformat()}, Case
    )


def store_layout(layout: Layout | None) -> None:
    """Set the case, and forget what was taught of bays that it has not."""
    kept = tuple(t for t in stored().teachings if layout and t.bay in layout.labels)
    StoredCase.objects.update_or_create(
        pk=1,
        defaults={
            "layout": msgspec.to_builtins(layout),
            "teachings": msgspec.to_builtins(kept),
            "changed_at": timezone.now(),
        },
    )


def store_teachings(teachings: tuple[Teaching, ...]) -> None:
    """Set all that was taught."""
    StoredCase.objects.filter(pk=1).update(teachings=msgspec.to_builtins(teachings))
