"""Every operation, by name. To add one: write its module next to its neighbours, then a row here."""

from __future__ import annotations

from functools import partial

from disks.bays import import_case, set_bays, set_chassis, teach_bay
from disks.drives import burn_in, forget, locate, note, smart_test, stop_burn_in
from jobs.operation import Operation
from pools import create_pool, destroy_pool
from pools.datasets import create_dataset, destroy_dataset, set_properties
from pools.snapshots import destroy_snapshots, take_snapshot

_on_pools = partial(Operation, scope="pools:write")
_on_disks = partial(Operation, scope="disks:write")

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
        _on_disks(
            name="chassis.set",
            request=set_chassis.SetChassis,
            plan=set_chassis.plan,
            remember=set_chassis.remember,
        ),
        _on_disks(
            name="chassis.import",
            request=import_case.ImportCase,
            plan=import_case.plan,
            remember=import_case.remember,
        ),
        _on_disks(
            name="bays.set",
            request=set_bays.SetBays,
            plan=set_bays.plan,
            remember=set_bays.remember,
        ),
        _on_disks(
            name="bays.teach",
            request=teach_bay.TeachBay,
            plan=teach_bay.plan,
            remember=teach_bay.remember,
        ),
        _on_disks(
            name="disk.locate",
            request=locate.LocateDisk,
            plan=locate.plan,
            remember=locate.remember,
        ),
        _on_disks(
            name="disk.smart-test",
            request=smart_test.RunSelfTest,
            plan=smart_test.plan,
            remember=smart_test.remember,
        ),
        _on_disks(
            name="disk.burn-in",
            request=burn_in.BurnInDisk,
            plan=burn_in.plan,
            remember=burn_in.remember,
        ),
        _on_disks(
            name="disk.stop-burn-in",
            request=stop_burn_in.StopBurnIn,
            plan=stop_burn_in.plan,
        ),
        _on_disks(
            name="disk.forget",
            request=forget.ForgetDisk,
            plan=forget.plan,
            remember=forget.remember,
        ),
        _on_disks(
            name="disk.note",
            request=note.NoteDisk,
            plan=note.plan,
            remember=note.remember,
        ),
    )
}
