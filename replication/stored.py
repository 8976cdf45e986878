"""Reads and writes the rows of targets, tasks and rewritings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from host import typed
from host.inventory import Inventory
from host.inventory.moving import renamed
from host.replication.rewriting import Rewrite
from host.replication.values import Pairing, Replicating, Replication, Target
from jobs.rows import Rows
from replication.models import PairingRow, RewriteRow, TargetRow, TaskRow

_APART = ("id", "name", "key", "peer", "target_id", "running", "proving", "verdict")


def complete(inventory: Inventory) -> Inventory:
    """`inventory` with what is replicated; what was renamed since is shown by its current name."""
    names, rows = names_of(inventory), Rows(TargetRow, TaskRow, PairingRow, RewriteRow)
    replicating = Replicating(
        targets=tuple(map(target_of, rows.of(TargetRow))),
        tasks=tuple(by_current_names(task_of(row), names) for row in rows.of(TaskRow)),
        pairings=tuple(map(pairing_of, rows.of(PairingRow))),
    )
    rewrites = tuple(map(rewrite_of, rows.of(RewriteRow)))
    return msgspec.structs.replace(inventory, replicating=replicating, rewrites=rewrites)


def follow(replaced: Mapping[str, str]) -> None:
    """Replications of a dataset are replications of the one that takes its place; by guid. Their snapshots
    have the same guids."""
    for row in TaskRow.objects.all():
        task = task_of(row)
        source = replaced.get(task.source_guid, task.source_guid)
        left_out = {name: replaced.get(guid, guid) for name, guid in task.excluded_guids.items()}
        if (source, left_out) != (task.source_guid, task.excluded_guids):
            changes = {"source_guid": source, "excluded_guids": left_out}
            TaskRow.objects.filter(pk=row.pk).update(value=row.value | changes)


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


def names_of(inventory: Inventory) -> dict[str, str]:
    """What the datasets of this machine are called now, by guid."""
    return {one.guid: one.name for one in inventory.datasets}


def by_current_names(task: Replication, names: Mapping[str, str]) -> Replication:
    """The same with current names: of its source, and of what is left out or remembered below it."""
    if task.pull:
        return task
    source = names.get(task.source_guid, task.source)

    def current(name: str) -> str:
        guid = task.excluded_guids.get(name, "")
        return names.get(guid) or renamed(name, task.source, source)

    return msgspec.structs.replace(
        task, source=source, excluded=tuple(map(current, task.excluded)),
        excluded_guids={current(name): guid for name, guid in task.excluded_guids.items()},
        kept={renamed(name, task.source, source): values for name, values in task.kept.items()},
    )  # fmt: skip
