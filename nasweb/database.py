"""Reports what is wrong with the console's own database, and what to do."""

from __future__ import annotations

from pathlib import Path

import structlog
from django.conf import settings
from django.db import DatabaseError, IntegrityError

from machine.backup.damaged import WAY_BACK, fault_of

_log = structlog.get_logger("database")
_FULL = (
    "The disk under the console's database is full: nothing can be changed until there is space. Reading "
    "still works. Free some space on the system disk, such as with “apt-get clean” and “journalctl "
    "--vacuum-size=100M”."
)


def database_trouble(error: BaseException | None) -> str | None:
    """What is wrong with the whole database, where that caused `error`, and what to do; else None."""
    if not isinstance(error, DatabaseError) or isinstance(error, IntegrityError):
        return None
    if "is locked" in str(error):  # it is busy: to read all of it would hold it up further
        return None
    if "database or disk is full" in str(error):
        return _FULL
    fault = fault_of(_path())
    return None if fault is None else f"The console's database is damaged ({fault}). {WAY_BACK}"


def check_at_start() -> None:
    """Log at the start what else would be found by the first request."""
    if (fault := fault_of(_path())) is not None:
        _log.error("the database is damaged", fault=fault, way_back=WAY_BACK)


def _path() -> Path:
    return Path(str(settings.DATABASES["default"]["NAME"]))
