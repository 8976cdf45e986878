"""The file behind the series, apart from the database: it is written often, and nobody is hurt by its loss.

That is why it needs no migration: it is made when it is missing.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.conf import settings

_VERSION = 1
_SCHEMA = """
CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE raw (
    series INTEGER NOT NULL, time INTEGER NOT NULL, value REAL NOT NULL, PRIMARY KEY (series, time)
) WITHOUT ROWID;
CREATE TABLE five (
    series INTEGER NOT NULL, time INTEGER NOT NULL, mean REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
    PRIMARY KEY (series, time)
) WITHOUT ROWID;
CREATE TABLE hour (
    series INTEGER NOT NULL, time INTEGER NOT NULL, mean REAL NOT NULL, low REAL NOT NULL, high REAL NOT NULL,
    PRIMARY KEY (series, time)
) WITHOUT ROWID;
CREATE TABLE thinned (step INTEGER PRIMARY KEY, until INTEGER NOT NULL);
"""


@contextmanager
def opened(*, to_write: bool = False) -> Iterator[sqlite3.Connection]:
    """A connection in one transaction, which is kept if the block ends well.

    Who will write says so: one that has read is refused at once, without waiting, if another wrote since.
    """
    path = Path(settings.NASWEB_SERIES)
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
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def _make(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("BEGIN IMMEDIATE")
    if connection.execute("PRAGMA user_version").fetchone()[0] != _VERSION:  # another one was not quicker
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version={_VERSION}")
    connection.execute("COMMIT")
