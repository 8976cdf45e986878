"""Waits for what the worker does with a message."""

from __future__ import annotations

from alerts.channels.models import Delivery
from jobs import waiting


def ended(row: Delivery, *, timeout_s: float) -> Delivery:
    """`row` once it was sent or has failed, or as it is after `timeout_s`."""
    rows = Delivery.objects.filter(pk=row.pk)
    waiting.until(lambda: rows.exclude(ended_at=None).first(), timeout_s=timeout_s)
    return rows.first() or row
