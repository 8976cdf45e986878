"""A console that has something to lose, and what is asked of its copies."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

from django.db import connection
from rest_framework.test import APIClient

from host.commands.shares.accounts import AddGroup, AddPerson, SetMembers, SetSambaPassword
from host.simulated import SimulatedHost
from machine.backup.listing import AskCopies, PoolCopies, answer
from tests.conftest import refresh
from tests.contract.secrets import PASSWORD, keep_all, reference
from tests.prepared import prepared

DISKS = 2


def pool(api: APIClient, name: str = "tank") -> None:
    prepared(f"pool {name}", lambda: _pool(api, name))


def _pool(api: APIClient, name: str) -> None:
    disks = [one["id"] for one in api.get("/api/v1/disks/").json()["results"] if one["used_by"] is None]
    body: dict[str, Any] = {
        "name": name,
        "vdevs": [{"role": "data", "layout": "mirror", "disks": disks[:DISKS]}],
    }
    plan = api.post("/api/v1/pools/?dry_run=true", body)
    assert plan.status_code == 200, plan.data
    made = api.post("/api/v1/pools/", body | {"digest": plan.data["digest"]})
    assert made.data["state"] == "succeeded", made.data


def people(host: SimulatedHost, settings: Any) -> None:
    keep_all(Path(settings.NASWEB_SECRETS))
    host.run(AddGroup(name="kin", gid=35_000))
    host.run(AddPerson(name="anna", uid=30_000, full_name="Anna"))
    host.run(AddPerson(name="bert", uid=30_001))
    host.run(SetMembers(group="kin", members=("anna", "bert")))
    host.run(SetSambaPassword(name="anna", secret=reference(PASSWORD)))
    refresh()


def copies(host: SimulatedHost) -> tuple[PoolCopies, ...]:
    return answer(AskCopies(), host).results


def names(host: SimulatedHost) -> list[str]:
    return [one.name for found in copies(host) for one in found.copies]


def database_file(folder: Path) -> Path:
    """The test's database as the file that it is on a real machine."""
    path = folder / "nasweb.sqlite3"
    connection.ensure_connection()
    with sqlite3.connect(path) as file:
        connection.connection.backup(file)
    file.close()
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA journal_mode=WAL")
    file.close()
    return path


def rows(path: Path, question: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(path) as file:
        found = file.execute(question).fetchall()
    file.close()
    return found
