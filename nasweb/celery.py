"""The queue's application: `celery --app nasweb`."""

from __future__ import annotations

import os
import warnings
from typing import Any

import structlog
from celery import Celery
from celery.platforms import SecurityWarning  # type: ignore[attr-defined]
from celery.signals import setup_logging

from nasweb import messages
from nasweb.clock import Clock

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nasweb.settings")
# Django's checks would load every page and view into the worker, which serves none.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

# Where root runs `make run` the worker is root too; on a NAS it has an account of its own and no rights.
# Its messages are JSON with one number, which is what the warning is about.
warnings.filterwarnings("ignore", category=SecurityWarning)

messages.guard()
app = Celery("nasweb")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["jobs", "disks", "alerts", "pools", "shares", "replication", "backups", "machine"])
app.steps["worker"].add(Clock)
app.set_default()  # a thread of the web server would find an empty application otherwise


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Celery would replace the log's format by its own; connecting to this signal keeps ours."""
    structlog.get_logger("queue").debug("logging as configured")
