"""What a simulated machine knows of repositories, and what lies in them."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.repositories.answers import RunReport
from host.repositories.settings import RepositorySettings


class KeptRepository(msgspec.Struct, kw_only=True):
    """Root's folder for one: its secrets are known again by their hashes."""

    settings: RepositorySettings | None = None
    password: str = ""
    key: str = ""
    public_key: str = ""


class StoredFile(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A file, folder or link in a snapshot of restic."""

    path: str
    kind: Literal["file", "folder", "link"]
    size: int = 0
    data: bytes | None = None
    leads_to: str | None = None
    mode: int = 0o644
    uid: int = 0
    modified_ns: int = 0


class StoredState(msgspec.Struct, kw_only=True):
    """A snapshot of restic; before `from_s` (Unix time) it is still being made."""

    id: str
    made_at: str
    host: str
    backup: str
    dataset: str
    from_s: float
    files: list[StoredFile] = []


class StoredRepository(msgspec.Struct, kw_only=True):
    """What lies at a place."""

    password: str
    snapshots: list[StoredState] = []
    damaged: bool = False
    locked: bool = False


class SimulatedRun(msgspec.Struct, kw_only=True):
    """A run whose end is known from its start; how far it has come follows from the clock."""

    repository: str
    started: float
    ends: float
    end: RunReport
    stopped: float | None = None


class BackupsState(msgspec.Struct, kw_only=True):
    """All of it: root's folders by key, places by their location, runs by key."""

    kept: dict[str, KeptRepository] = {}
    places: dict[str, StoredRepository] = {}
    runs: dict[str, SimulatedRun] = {}
    refused: dict[str, str] = {}  # run → why its unit did not start
