"""Sets of scopes for what tokens are mostly made for."""

from __future__ import annotations

import msgspec

from accounts.roles import SCOPES


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """Scopes under one name; `says` is what a token with them can do."""

    name: str
    title: str
    says: str
    scopes: tuple[str, ...]


PRESETS = (
    Preset(
        name="read", title="Read only", says="Sees the state of everything, but no one's files.",
        scopes=tuple(scope for scope in SCOPES if scope.endswith(":read") and scope != "files:read"),
    ),
    Preset(
        name="monitoring", title="Monitoring",
        says="Health, temperatures, space, jobs and alerts, for Home Assistant and the like.",
        scopes=("system:read", "disks:read", "pools:read", "jobs:read", "alerts:read"),
    ),
    Preset(
        name="prometheus", title="Prometheus",
        says="Reads /metrics and nothing else, once an admin has turned that on.", scopes=("metrics:read",),
    ),
    Preset(
        name="backup", title="Backup script",
        says=(
            "Changes all of storage (pools, datasets, snapshots, backups, replications, arrays, boot disks), "
            "reads the files in snapshots, and follows its jobs. Made by an admin it can destroy them, too."
        ),
        scopes=("pools:read", "pools:write", "files:read", "jobs:read"),
    ),
    Preset(
        name="everything", title="Everything",
        says="All that a token can do, users and settings included.", scopes=SCOPES,
    ),
)  # fmt: skip
CUSTOM = "custom"
