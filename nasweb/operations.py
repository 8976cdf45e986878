"""Every operation, by name, and what crosses rooms. Each row stands in the room of its operation."""

from __future__ import annotations

from typing import Any, cast

import msgspec

import alerts.operations
import backups.operations
import backups.stored
import disks.operations
import jobs.operations
import machine.operations
import pools.operations
import replication.operations
import replication.rewrites.operations
import replication.stored
import shares.operations
from host.inventory import Inventory
from jobs.operation import Operation, nothing_is_replaced
from jobs.plan import Plan
from nasweb.first_start import first_start_of
from pools.datasets import create_dataset
from pools.datasets.presets import PresetName
from shares.coming_back import brought_back
from shares.following import follows


def _new_dataset(name: str, preset: str, inventory: Inventory) -> Plan:
    request = create_dataset.CreateDataset(name=name, preset=cast("PresetName", preset))
    return create_dataset.plan(request, inventory)


_OF_ROOMS: tuple[Operation[Any], ...] = (
    *pools.operations.OPERATIONS,
    *jobs.operations.OPERATIONS,
    *shares.operations.OPERATIONS,
    shares.operations.share_folder_of(_new_dataset),
    shares.operations.person_with_folder_of(_new_dataset),
    *disks.operations.OPERATIONS,
    *replication.operations.OPERATIONS,
    *replication.rewrites.operations.OPERATIONS,
    *machine.operations.OPERATIONS,
    *backups.operations.OPERATIONS,
    *alerts.operations.OPERATIONS,
)

_ROWS = (*_OF_ROOMS, first_start_of({row.name: row for row in _OF_ROOMS}))


# Of what belongs to datasets by their guids. Shares follow in the plan itself (`shares.following`).
_FOLLOWERS = (backups.stored.follow, replication.stored.follow)


def _followed(row: Operation[Any]) -> Operation[Any]:
    """The operation with what belongs to datasets that others take the place of."""
    if row.replaces is nothing_is_replaced:
        return row

    def remember(request: Any, inventory: Inventory, actor: str) -> None:
        row.remember(request, inventory, actor)
        replaced = row.replaces(request, inventory)
        for follow in _FOLLOWERS:
            follow(replaced)

    return msgspec.structs.replace(row, remember=remember)


def _linked(row: Operation[Any]) -> Operation[Any]:
    """The operation with all that follows the datasets it is about."""
    return brought_back(_followed(follows(row) if row.moves_datasets else row))


OPERATIONS: dict[str, Operation[Any]] = {row.name: _linked(row) for row in _ROWS}
