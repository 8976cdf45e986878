"""What is done with shares by the clock."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from shares.tick import tick


@shared_task(name="shares.tasks.follow")
def follow() -> None:
    """Serve what is there, and nothing else."""
    tick(timezone.now())
