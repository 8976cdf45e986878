"""Which tables of the database are settings, which are history, and which are not worth storing.

`nasweb.backup` says it of every table, and a test that it left none out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, cast

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """One table. A change in one of its `counted` columns is a change of settings.

    `kept`: always, only where secrets are (`secret`), or never, as it is worked out anew. `blank` are columns
    with what stands there in a copy without secrets, as an expression of SQL.
    """

    name: str
    kept: Literal["always", "secret", "never"] = "always"
    counted: tuple[str, ...] = ()
    blank: dict[str, str] = {}


class BackupTables(msgspec.Struct, frozen=True, kw_only=True):
    """What backups need to know of the database.

    `summary` is what is counted for people: word → table. `passwords` are the operations after which Samba
    knows another password. `carry` brings the account of whoever restores into the restored database: it is
    given their name and that database's alias. `revoke` revokes there the tokens that were revoked here.
    `reopen` lets the first account be made anew where none of that database can sign in.
    """

    tables: tuple[Table, ...]
    summary: dict[str, str]
    passwords: tuple[str, ...]
    carry: Callable[[str, str], None]
    revoke: Callable[[str], None]
    reopen: Callable[[str], None]
    version: str


def backup_tables() -> BackupTables:
    """What `nasweb.backup` composes."""
    return cast("BackupTables", import_string(settings.NASWEB_KEEPING))
