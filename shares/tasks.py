"""What is done with shares periodically."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from shares.tick import tick


@shared_task(name="shares.tasks.follow")
def follow() -> None:
    """Serve the shares whose file systems are mounted, and no others."""
    tick(timezone.now())
