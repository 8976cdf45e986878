"""Periodic tasks on the machine's own settings."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from jobs import cache
from jobs.operation import the_host
from jobs.series.collecting import kernel_files
from machine.backup import uploads
from machine.backup.tick import tick
from machine.network_speed import following
from machine.network_speed.models import NetworkSpeedRow


@shared_task(name="machine.tasks.keep_copies")
def keep_copies() -> None:
    """Write copies of all settings where something was set; remove those that were uploaded long ago."""
    uploads.sweep()
    tick(timezone.now())


@shared_task(name="machine.tasks.follow_speed")
def follow_speed() -> None:
    """Keep what measurements of the network found. Nothing is asked of the machine while there is none."""
    if NetworkSpeedRow.objects.filter(verdict="").exists() and (inventory := cache.current()) is not None:
        following.follow(the_host(), inventory, kernel_files())
