"""Logs to standard error, one event a line: JSON for the journal, or text for people.

A command that a person types has words of its own to say: its logs go to the journal directly.
"""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from typing import Any

import structlog
from structlog.typing import Processor

_SOCKET = Path("/dev/log")  # of journald
_EVERY: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def at_terminal() -> bool:
    """Whether this is a command of `manage.py` whose standard error a person reads."""
    return Path(sys.argv[0]).name == "manage.py" and "runserver" not in sys.argv and sys.stderr.isatty()


def _handler(*, to_journal: bool) -> dict[str, Any]:
    if not to_journal:
        return {"class": "logging.StreamHandler", "stream": "ext://sys.stderr", "formatter": "event"}
    if _listens(_SOCKET):
        return {"class": "logging.handlers.SysLogHandler", "address": str(_SOCKET), "formatter": "journal"}
    return {"class": "logging.NullHandler"}


def _listens(path: Path) -> bool:
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
            connection.connect(str(path))
    except OSError:
        return False
    return True


def configure(*, json: bool, level: str, to_journal: bool = False) -> dict[str, Any]:
    """Set structlog up and return the matching `LOGGING` for Django and everything else."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_EVERY,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    renderer: list[Processor] = [
        structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    ]
    if json:
        renderer = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    formatter = {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": _EVERY,
        "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"event": formatter, "journal": formatter | {"fmt": "nasweb: %(message)s"}},
        "handlers": {"stream": _handler(to_journal=to_journal)},
        "root": {"handlers": ["stream"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.request": {"level": "ERROR"},  # a 404 is no news
            "django.server": {"handlers": [], "propagate": True},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
        },
    }
