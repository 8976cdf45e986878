"""Periodic tasks on the machine's own settings."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from machine.backup import uploads
from machine.backup.tick import tick


@shared_task(name="machine.tasks.keep_copies")
def keep_copies() -> None:
    """Write copies of all settings where something was set; remove those that were uploaded long ago."""
    uploads.sweep()
    tick(timezone.now())
