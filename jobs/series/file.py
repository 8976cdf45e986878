"""The file behind the series, apart from the database: nobody is hurt by its loss.

That is why it needs no migration: it is made when it is missing. One of the first version, which held single
points, is taken over.
"""

from __future__ import annotations

import os
import sqlite3
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import wraps
from pathlib import Path

from django.conf import settings

from jobs.series import older

_VERSION = 2
_DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_SQLITE = b"SQLite format 3\0"  # https://sqlite.org/fileformat.html, 1.3
_SCHEMA = """
CREATE TABLE store (id TEXT NOT NULL, flushed INTEGER NOT NULL, summed INTEGER NOT NULL);
CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE minutes (
    hour INTEGER NOT NULL, series INTEGER NOT NULL, packed BLOB NOT NULL, PRIMARY KEY (hour, series)
) WITHOUT ROWID;
CREATE TABLE hours (
    series INTEGER NOT NULL, day INTEGER NOT NULL, packed BLOB NOT NULL, PRIMARY KEY (series, day)
) WITHOUT ROWID;
"""


@contextmanager
def opened(*, to_write: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction, which is kept if the block ends well.

    Who will write says so: one that has read is refused at once, without waiting, if another wrote since.
    """
    path = Path(settings.NASWEB_SERIES)
    _put_aside_what_is_none(path)
    if not path.exists():
        # SQLite would make it readable for one account alone, but both the console and the worker need it.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o660))
    with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=NORMAL")  # a power cut may take the last minutes
        # Else each point costs a flash drive the whole log: copied, forced out, deleted and made anew.
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, True)
        if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            _make(connection)
        connection.execute("BEGIN IMMEDIATE" if to_write else "BEGIN")
        try:
            yield connection
        except BaseException:
            with suppress(sqlite3.DatabaseError):  # one that is damaged may have ended it by itself
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def surviving[**P, T](empty: Callable[[], T]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """For functions that read or write the file: one that is damaged, as after a fault of its drive, is
    put aside, and the answer is `empty`."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def careful(*args: P.args, **kwargs: P.kwargs) -> T:
            path = Path(settings.NASWEB_SERIES)
            seen = _identity(path)
            try:
                return function(*args, **kwargs)
            except (sqlite3.DatabaseError, zlib.error) as error:
                if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) not in _DAMAGE:
                    raise
                if _identity(path) == seen:  # else another has done so already
                    _put_aside(path)
                return empty()

        return careful

    return decorate


def _identity(path: Path) -> int | None:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return None


def _put_aside_what_is_none(path: Path) -> None:
    """A file that is no database any more, as after a fault of its drive, must not end every page that shows
    a figure: it is renamed, and a new one begins."""
    with suppress(FileNotFoundError):
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
        if start not in {b"", _SQLITE}:
            _put_aside(path)


def _put_aside(path: Path) -> None:
    path.replace(path.with_suffix(".damaged"))
    for end in ("-wal", "-shm"):
        path.with_name(f"{path.name}{end}").unlink(missing_ok=True)


def _make(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != _VERSION:  # another one was not quicker
        kept = older.taken_out(connection) if version == 1 else {}
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute("INSERT INTO store VALUES (?, 0, 0)", (uuid.uuid4().hex,))
        older.put_back(connection, kept)
        connection.execute(f"PRAGMA user_version={_VERSION}")
    connection.execute("COMMIT")
