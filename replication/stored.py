"""Reads and writes the rows of targets, tasks and rewritings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from host import typed
from host.inventory import Inventory
from host.replication.rewriting import Rewrite
from host.replication.values import Pairing, Replicating, Replication, Target
from replication.models import PairingRow, RewriteRow, TargetRow, TaskRow

_APART = ("id", "name", "key", "peer", "target_id", "running", "proving", "verdict")


def complete(inventory: Inventory) -> Inventory:
    """`inventory` with what is replicated; a source that was renamed since is shown by its current name."""
    names = {one.guid: one.name for one in inventory.datasets}
    replicating = Replicating(
        targets=tuple(target_of(row) for row in TargetRow.objects.all()),
        tasks=tuple(_renamed(task_of(row), names) for row in TaskRow.objects.all()),
        pairings=tuple(pairing_of(row) for row in PairingRow.objects.all()),
    )
    rewrites = tuple(rewrite_of(row) for row in RewriteRow.objects.all())
    return msgspec.structs.replace(inventory, replicating=replicating, rewrites=rewrites)


def follow(replaced: Mapping[str, str]) -> None:
    """Replications of a dataset are replications of the one that takes its place; by guid. Their snapshots
    have the same guids."""
    for row in TaskRow.objects.all():
        guid = replaced.get(row.value.get("source_guid", ""))
        if guid is not None:
            TaskRow.objects.filter(pk=row.pk).update(value=row.value | {"source_guid": guid})


def target_of(row: TargetRow) -> Target:
    """The row as a value."""
    return typed.convert(row.value | {"id": row.pk, "name": row.name}, Target)


def pairing_of(row: PairingRow) -> Pairing:
    """The row as a value."""
    return typed.convert(row.value | {"id": row.pk, "name": row.name, "peer": row.peer}, Pairing)


def task_of(row: TaskRow) -> Replication:
    """The row as a value."""
    known = {
        "id": row.pk, "name": row.name, "key": row.key, "target_id": row.target_id, "running": row.running,
        "proving": row.proving, "verdict": (row.report or {}).get("verdict"),
    }  # fmt: skip
    return typed.convert(row.value | known, Replication)


def rewrite_of(row: RewriteRow) -> Rewrite:
    """The row as a value."""
    known = {
        "key": row.key, "dataset": row.dataset, "settings": row.settings, "running": row.running,
        "comparing": row.comparing, "live": row.live, "verdict": (row.report or {}).get("verdict"),
        "compared": (row.proof or {}).get("verdict"),
    }  # fmt: skip
    return typed.convert(known, Rewrite)


def value_of(one: Target | Replication | Pairing) -> dict[str, Any]:
    """What of it is in the column `value`."""
    found: dict[str, Any] = msgspec.to_builtins(one)
    return {name: value for name, value in found.items() if name not in _APART}


def _renamed(task: Replication, names: dict[str, str]) -> Replication:
    if task.pull or task.source_guid not in names:
        return task
    return msgspec.structs.replace(task, source=names[task.source_guid])
