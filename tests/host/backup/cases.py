"""Copies made by hand."""

from __future__ import annotations

import hashlib
import sqlite3
from typing import Any

from host.backup import archive
from host.backup.manifest import Manifest, MemberName

ORIGIN, OTHER = "0123456789abcdef", "fedcba9876543210"
CONTENT = hashlib.sha256(b"settings").hexdigest()
ANNA = "anna:30000:" + "X" * 32 + ":" + "A" * 32 + ":[U          ]:LCT-65000000:"


def database() -> bytes:
    with sqlite3.connect(":memory:") as made:
        made.execute("CREATE TABLE t (x)")
        return made.serialize()


def manifest(**changes: Any) -> Manifest:
    values: dict[str, Any] = {
        "origin": ORIGIN, "host": "nas", "version": "0.1.0", "made_at": "2026-03-02T10:00:00Z",
        "content": CONTENT, "secrets": False, "schema": ("jobs.0001_initial",), "holds": {"accounts": 1},
    }  # fmt: skip
    return Manifest(**(values | changes))


def copy(*, members: dict[MemberName, bytes] | None = None, **changes: Any) -> bytes:
    found: dict[MemberName, bytes] = {"database.sqlite3": database(), "people.json": b"{}"}
    return archive.pack(manifest(**changes), found | (members or {}))
