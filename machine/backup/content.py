"""What a copy holds of the database, and the digest that shows whether anything was set since the last one.

The worker lays it out for root's program (`host.backup.writing`), which adds what only root can read.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sqlite3
import time
from contextlib import closing, suppress
from typing import Any

import msgspec
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from host.backup import archive
from host.backup.manifest import KeptGroup, KeptPeople, KeptPerson, Manifest
from host.backup.writing import now
from host.inventory import Inventory
from jobs.models import Job, State
from machine.backup.models import CopySettingsRow
from machine.backup.places import folders
from machine.backup.tables import BackupTables, Table, backup_tables

_STALE_S = 3600.0


def settings_row() -> CopySettingsRow:
    """How copies are made; the row is made where it is missing."""
    row, _ = CopySettingsRow.objects.get_or_create(pk=1, defaults={"origin": secrets.token_hex(8)})
    return row


def digest(inventory: Inventory) -> str:
    """Changes whenever something was set: in the database, or of people and groups."""
    known = backup_tables()
    said: list[Any] = [_rows(table) for table in known.tables if table.counted]
    changed = Job.objects.filter(operation__in=known.passwords, state=State.SUCCEEDED)
    said += [people(inventory), changed.order_by("-id").values_list("finished_at", flat=True).first()]
    said += [inventory.naming.name, inventory.naming.time_zone]
    return hashlib.sha256(msgspec.json.encode(said)).hexdigest()


def people(inventory: Inventory) -> KeptPeople:
    """Everybody who may use shares, without passwords."""
    accounts = inventory.accounts
    return KeptPeople(
        people=tuple(
            KeptPerson(
                name=one.name, uid=one.uid, full_name=one.full_name, password=one.samba != "none",
                expires=one.expires,
            )
            for one in accounts.people
        ),
        groups=tuple(
            KeptGroup(name=one.name, gid=one.gid, members=_members(one.members, inventory))
            for one in accounts.groups
        ),
    )  # fmt: skip


def _members(names: tuple[str, ...], inventory: Inventory) -> tuple[str, ...]:
    """Without accounts that are none of ours: those a restore could not bring back."""
    return tuple(name for name in names if inventory.accounts.person(name) is not None)


def lay_out(inventory: Inventory) -> Manifest:
    """Put the worker's part where root's program finds it, under its digest. Raises `OSError`."""
    row, known = settings_row(), backup_tables()
    manifest = Manifest(
        origin=row.origin,
        host=inventory.facts.name[:255],
        version=known.version,
        made_at=now(),
        content=digest(inventory),
        secrets=row.secrets,
        time_zone=inventory.naming.time_zone or "",
        schema=schema(),
        holds=_holds(known, inventory),
    )
    database = snapshot(known.tables, with_secrets=row.secrets)
    report = msgspec.json.encode(people(inventory))
    _write(manifest.content, archive.pack(manifest, {"database.sqlite3": database, "people.json": report}))
    return manifest


def schema() -> tuple[str, ...]:
    """The migrations that the database has had."""
    applied = MigrationRecorder(connection).applied_migrations()
    return tuple(sorted(f"{app}.{name}" for app, name in applied))


def unknown(migrations: tuple[str, ...]) -> tuple[str, ...]:
    """Those that this release does not know: a database that had them is newer than it."""
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    return tuple(one for one in migrations if one not in known)


def snapshot(tables: tuple[Table, ...], *, with_secrets: bool) -> bytes:
    """The database as it is now in one piece, without what is not worth storing and what must not be."""
    connection.ensure_connection()
    # A connection of its own, in memory: nothing is written to the flash drive, and nobody is held up.
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
        connection.connection.backup(copy)
        copy.execute("PRAGMA foreign_keys = OFF")
        for table in tables:
            _strip(copy, table, with_secrets=with_secrets)
        # Jobs that wait or run must not run on another machine.
        copy.execute(
            "DELETE FROM jobs_jobstep WHERE job_id IN"
            " (SELECT id FROM jobs_job WHERE state IN ('queued', 'running'))"
        )
        copy.execute("DELETE FROM jobs_job WHERE state IN ('queued', 'running')")
        _let_go(copy)
        copy.execute("VACUUM")  # what was deleted is still in its pages before
        return copy.serialize()


def _strip(copy: sqlite3.Connection, table: Table, *, with_secrets: bool) -> None:
    # Names of tables and columns are of this program's own table, never of anybody's input.
    if table.kept == "never" or (table.kept == "secret" and not with_secrets):
        copy.execute(f'DELETE FROM "{table.name}"')  # noqa: S608
    elif table.blank and not with_secrets:
        blanks = ", ".join(f'"{column}" = {value}' for column, value in table.blank.items())
        copy.execute(f'UPDATE "{table.name}" SET {blanks}')  # noqa: S608


def _let_go(copy: sqlite3.Connection) -> None:
    """What points to a row that was left out points nowhere, or goes with it.

    Otherwise no migration of a later release could touch the table: Django checks whether all is consistent.
    """
    while broken := copy.execute("PRAGMA foreign_key_check").fetchall():
        for table, rowid, _, key in broken:
            links = copy.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
            column = next(link[3] for link in links if link[0] == key)
            needed = {one[1] for one in copy.execute(f'PRAGMA table_info("{table}")') if one[3]}
            change = "DELETE FROM" if column in needed else "UPDATE"
            value = "" if column in needed else f' SET "{column}" = NULL'
            copy.execute(f'{change} "{table}"{value} WHERE rowid = ?', (rowid,))


def _rows(table: Table) -> list[tuple[Any, ...]]:
    columns = ", ".join(f'"{column}"' for column in table.counted)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT {columns} FROM "{table.name}" ORDER BY {columns}')  # noqa: S608
        return list(cursor.fetchall())


def _holds(known: BackupTables, inventory: Inventory) -> dict[str, int]:
    found = {"people": len(inventory.accounts.people), "groups": len(inventory.accounts.groups)}
    with connection.cursor() as cursor:
        for word, table in known.summary.items():
            cursor.execute(f'SELECT COUNT(*) FROM "{table}"')  # noqa: S608
            found[word] = cursor.fetchone()[0]
    return found


def _write(name: str, data: bytes) -> None:
    folder = folders().spool
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for old in folder.iterdir():
        with suppress(OSError):
            if time.time() - old.stat().st_mtime > _STALE_S:
                old.unlink()
    fresh = folder / f".{secrets.token_hex(8)}"
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
    fresh.replace(folder / name)
