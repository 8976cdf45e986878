"""Every operation, by name. To add one: write its module next to its neighbours, then a row here."""

from __future__ import annotations

from jobs.operation import Operation
from pools import create_pool, destroy_pool
from pools.datasets import create_dataset, destroy_dataset, set_properties
from pools.snapshots import destroy_snapshots, take_snapshot

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        Operation(
            name="pool.create",
            request=create_pool.CreatePool,
            plan=create_pool.plan,
            scope="pools:write",
        ),
        Operation(
            name="pool.destroy",
            request=destroy_pool.DestroyPool,
            plan=destroy_pool.plan,
            scope="pools:write",
        ),
        Operation(
            name="dataset.create",
            request=create_dataset.CreateDataset,
            plan=create_dataset.plan,
            scope="pools:write",
        ),
        Operation(
            name="dataset.set",
            request=set_properties.SetProperties,
            plan=set_properties.plan,
            scope="pools:write",
        ),
        Operation(
            name="dataset.destroy",
            request=destroy_dataset.DestroyDataset,
            plan=destroy_dataset.plan,
            scope="pools:write",
            snapshots=destroy_dataset.affected,
        ),
        Operation(
            name="snapshot.create",
            request=take_snapshot.TakeSnapshot,
            plan=take_snapshot.plan,
            scope="pools:write",
            snapshots=take_snapshot.affected,
        ),
        Operation(
            name="snapshot.destroy",
            request=destroy_snapshots.DestroySnapshots,
            plan=destroy_snapshots.plan,
            scope="pools:write",
            snapshots=destroy_snapshots.affected,
        ),
    )
}
