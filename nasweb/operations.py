"""Every operation, by name. To add one: write its module next to its neighbours, then a row here."""

from __future__ import annotations

from functools import partial

from jobs.operation import Operation
from pools import create_pool, destroy_pool
from pools.datasets import create_dataset, destroy_dataset, set_properties
from pools.snapshots import destroy_snapshots, take_snapshot

_on_pools = partial(Operation, scope="pools:write")

OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        _on_pools(name="pool.create", request=create_pool.CreatePool, plan=create_pool.plan),
        _on_pools(name="pool.destroy", request=destroy_pool.DestroyPool, plan=destroy_pool.plan),
        _on_pools(name="dataset.create", request=create_dataset.CreateDataset, plan=create_dataset.plan),
        _on_pools(name="dataset.set", request=set_properties.SetProperties, plan=set_properties.plan),
        _on_pools(
            name="dataset.destroy",
            request=destroy_dataset.DestroyDataset,
            plan=destroy_dataset.plan,
            snapshots=destroy_dataset.affected,
        ),
        _on_pools(
            name="snapshot.create",
            request=take_snapshot.TakeSnapshot,
            plan=take_snapshot.plan,
            snapshots=take_snapshot.affected,
        ),
        _on_pools(
            name="snapshot.destroy",
            request=destroy_snapshots.DestroySnapshots,
            plan=destroy_snapshots.plan,
            snapshots=destroy_snapshots.affected,
        ),
    )
}
