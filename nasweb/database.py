"""Reports what is wrong with the console's own database, and what to do."""

from __future__ import annotations

from pathlib import Path

import structlog
from django.conf import settings
from django.db import DatabaseError, IntegrityError

from machine.backup.damaged import WAY_BACK, fault_of

_log = structlog.get_logger("database")
RETRY_AFTER_S = 30
_DISK = (
    "The pools are not affected. See in the output of “dmesg” what is wrong with the system disk, and under "
    "System, Boot pair which of the two drives to replace; a restart may let it be written to again."
)
# What SQLite says, see https://www.sqlite.org/rescode.html, and what its owner does about it.
_NO_DAMAGE = {
    "is locked": (
        "The console's database is busy: something else has been writing to it for many seconds. Try again "
        "in a minute, and see first whether a part of what you asked for was carried out."
    ),
    "database or disk is full": (
        "The disk under the console's database is full: nothing can be changed until there is space. Reading "
        "still works. Free some space on the system disk, such as with “apt-get clean” and “journalctl "
        "--vacuum-size=100M”."
    ),
    # A file system in which errors were found is made read-only by the kernel.
    "readonly database": (
        f"The file system of the system disk is read-only: nothing can be changed, reading works. {_DISK}"
    ),
}


def database_trouble(error: BaseException | None) -> str | None:
    """What is wrong with the whole database, where that caused `error`, and what to do; else None."""
    if not isinstance(error, DatabaseError) or isinstance(error, IntegrityError):
        return None
    for said, why in _NO_DAMAGE.items():
        if said in str(error):  # to read all of it would only hold it up further
            return why
    if (fault := fault_of(_path())) is not None:
        return f"The console's database is damaged ({fault}). {WAY_BACK}"
    if "disk I/O error" in str(error):
        return f"The system disk fails: the console's database cannot be read or written. {_DISK}"
    return None


def check_at_start() -> None:
    """Log at the start what else would be found by the first request."""
    if (fault := fault_of(_path())) is not None:
        _log.error("the database is damaged", fault=fault, way_back=WAY_BACK)


def _path() -> Path:
    return Path(str(settings.DATABASES["default"]["NAME"]))
