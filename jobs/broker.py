"""The queue: it wakes the worker and is trusted with nothing but a job's id."""

from __future__ import annotations

import time

import structlog
from celery import current_app
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

_log = structlog.get_logger("broker")
_KNOWN_FOR_S = 2.0
_state: dict[str, float | bool] = {"asked": 0.0, "alive": True}


def announce(job_id: int) -> None:
    """Notify the worker of a job once its row is committed. Without a queue the job waits in its row."""
    transaction.on_commit(lambda: send("jobs.tasks.carry_out", job_id))


def send(task: str, *args: int) -> bool:
    """Put a task on the queue. False when the queue does not answer; the sweep finds the work later."""
    try:
        current_app.tasks[task].apply_async(args=args, retry=False)
    except (OperationalError, ConnectionError, OSError) as error:
        _log.warning("queue does not answer", task=task, error=str(error))
        _state.update(asked=time.monotonic(), alive=False)
        return False
    return True


def alive() -> bool:
    """Whether the queue answers; asked at most every two seconds."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return True
    if time.monotonic() - _state["asked"] > _KNOWN_FOR_S:
        _state.update(alive=_ask(), asked=time.monotonic())
    return bool(_state["alive"])


def _ask() -> bool:
    try:
        with current_app.connection_for_read(transport_options={"socket_connect_timeout": 1}) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=1)
    except (OperationalError, ConnectionError, OSError):
        return False
    return True
