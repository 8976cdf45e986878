"""What the clock sends, the worker knows."""

from __future__ import annotations

from django.conf import settings

from nasweb.celery import app


def test_every_tick_is_a_task_of_the_worker() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= app.tasks.keys()
