"""Machines that many tests begin with: made once in each process, then copied back with their database.

To create a pool and datasets through the API takes a second, to copy both files back a hundredth of it. What
was cached of a machine that is copied back is as good as new, so that nothing has to be probed.
"""

from __future__ import annotations

import copy
import hashlib
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache as once
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

import nasweb.host
from accounts.models import User
from host.probe.cache import ProbeCache
from jobs import cache
from jobs.models import CachedInventory

_BOOTED = re.compile(rb'"booted":[0-9.]+')  # the one thing in which two fresh machines differ


class _Kept(NamedTuple):
    database: sqlite3.Connection
    folder: tempfile.TemporaryDirectory[str]
    cached: Any  # what is decoded of the inventory
    value: Any


_kept: dict[tuple[str, str], _Kept] = {}
_changes_before = -1  # how many the database had seen when the test began


def begin() -> None:
    """A test begins that commits: the database is as it was made."""
    global _changes_before
    connection.ensure_connection()  # Playwright's loop has one of its own, and so has what came before it
    _changes_before = connection.connection.total_changes


def fresh(profile: str, build: Callable[[], Any]) -> None:
    """The machine of a profile as `build` makes it, probed once in each process."""
    if connection.in_atomic_block or connection.connection.total_changes != _changes_before:
        build()  # another fixture was here first: what it wrote stays
    elif (found := _kept.get((profile, ""))) is None:
        build()
        _kept[profile, ""] = _keep(None)
    else:
        _bring_back(found)


def made_once[**P, T](fixture: Callable[P, T]) -> Callable[P, T]:
    """A fixture (below `pytest.fixture`) that prepares a machine and returns plain values or an argument."""

    @wraps(fixture)
    def made(*args: P.args, **kwargs: P.kwargs) -> T:
        def build() -> tuple[str, T | None]:
            value = fixture(*args, **kwargs)
            name = next((name for name, given in kwargs.items() if given is value), "")
            return name, None if name else value

        clients = [given for given in kwargs.values() if isinstance(given, Client)]
        name, value = prepared(f"{fixture.__module__}.{fixture.__qualname__}", build, *clients)
        return cast("T", kwargs[name] if name else value)

    return made


def prepared[T](name: str, build: Callable[[], T], *browsers: Client) -> T:
    """What `build` returned, with the machine and the database as it left them, and `browsers` signed in.

    It is run once for `name` and what was there before; whoever had done something else before has it run
    again, so that nothing of that is lost. Its value is copied: let it be plain values.
    """
    before = _state({one.session.session_key or "" for one in browsers})
    signed_in = [(one, one.session["_auth_user_id"]) for one in browsers if "_auth_user_id" in one.session]
    if (found := _kept.get((name, before))) is None:
        value = build()
        _kept[name, before] = _keep(value)
        return value
    _bring_back(found)
    for browser, user in signed_in:
        browser.force_login(User.objects.get(pk=user))
    made: T = copy.deepcopy(found.value)
    return made


def _keep(value: Any) -> _Kept:
    database = sqlite3.connect(":memory:", check_same_thread=False)
    connection.connection.backup(database)
    folder = tempfile.TemporaryDirectory(prefix="nasweb-prepared-")
    shutil.copytree(_folder(), folder.name, dirs_exist_ok=True, ignore=_locks)
    cache.current()
    return _Kept(database, folder, cache._newest, copy.deepcopy(value))


def _bring_back(kept: _Kept) -> None:
    kept.database.backup(connection.connection)
    # Each file as of now: what is kept for some minutes only is as young as it was.
    shutil.copytree(kept.folder.name, _folder(), copy_function=shutil.copy, dirs_exist_ok=True)
    nasweb.host._memory = ProbeCache()
    CachedInventory.objects.update(as_of=datetime.now(UTC))
    cache._newest = kept.cached


def _folder() -> Path:
    return Path(settings.NASWEB_MACHINE_STATE).parent


def _locks(_folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name.endswith(".lock")]


def _state(own: set[str]) -> str:
    """What the machine is like, how much is in each table, and who is signed in but by the sessions `own`."""
    machine = _BOOTED.sub(b"", Path(settings.NASWEB_MACHINE_STATE).read_bytes())
    with connection.cursor() as cursor:
        cursor.execute(_counting())
        rows = cursor.fetchall()
    people = list(User.objects.order_by("pk").values_list("pk", "password"))
    others = sorted(set(Session.objects.values_list("session_key", flat=True)) - own)
    return hashlib.sha256(machine + repr((rows, people, others)).encode()).hexdigest()


@once
def _counting() -> str:
    names = sorted(connection.introspection.table_names())
    # Table names of our own migrations, from the database itself.
    return " UNION ALL ".join(f'SELECT count(*), max(rowid) FROM "{name}"' for name in names)
