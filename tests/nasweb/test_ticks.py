"""What the clock sends, the worker knows."""

from __future__ import annotations

import ast
from pathlib import Path

from django.conf import settings

from alerts import tasks
from nasweb.celery import app


def test_every_tick_is_a_task_of_the_worker() -> None:
    app.loader.import_default_modules()
    assert {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()} <= app.tasks.keys()


def test_the_web_process_which_imports_the_tasks_loads_no_apprise_with_them() -> None:
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else name.name
        for node in ast.parse(Path(tasks.__file__).read_text()).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert not any(name and name.startswith(("apprise", "alerts.channels.sending")) for name in imported)
