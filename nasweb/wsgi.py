"""What the web server serves."""

from __future__ import annotations

import os
import signal
from types import FrameType

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "nasweb.settings")
application = get_wsgi_application()

import nasweb.urls  # noqa: E402, F401 - its pages take most of a start: whoever asks first would wait for them
from nasweb.database import check_at_start  # noqa: E402 - it logs as the application has it


def answer_who_waits() -> None:
    """Let a request to stop, which gunicorn handles, first end all waits: a job may restart the console."""
    from jobs import waiting  # its models need the application

    before = signal.getsignal(signal.SIGTERM)

    def stop(number: int, frame: FrameType | None) -> None:
        waiting.stopping.set()
        if callable(before):
            before(number, frame)

    signal.signal(signal.SIGTERM, stop)
    signal.siginterrupt(signal.SIGTERM, False)


check_at_start()
# In gunicorn's worker its own handler is in place by now, and is what follows.
if callable(signal.getsignal(signal.SIGTERM)):
    answer_who_waits()
