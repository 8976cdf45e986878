"""Logs to standard error, one event a line: JSON for the journal, or text for people."""

from __future__ import annotations

from typing import Any

import structlog
from structlog.typing import Processor

_EVERY: list[Processor] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(*, json: bool, level: str) -> dict[str, Any]:
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
        "formatters": {"event": formatter},
        "handlers": {
            "stream": {
                "class": "logging.StreamHandler",
                "stream": "ext://sys.stderr",
                "formatter": "event",
            }
        },
        "root": {"handlers": ["stream"], "level": level},
        "loggers": {
            "django": {"handlers": [], "level": "INFO", "propagate": True},
            "django.request": {"level": "ERROR"},  # a 404 is no news
            "django.server": {"handlers": [], "propagate": True},
            "celery": {"level": "WARNING"},
            "kombu": {"level": "WARNING"},
        },
    }
