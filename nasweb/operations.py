"""Every operation, by name. To add one: write its module next to its neighbours, then a row here."""

from __future__ import annotations

from disks.bays import import_case, set_bays, set_chassis, teach_bay
from disks.drives import burn_in, locate, note, smart_test, stop_burn_in
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
        Operation(
            name="chassis.set",
            request=set_chassis.SetChassis,
            plan=set_chassis.plan,
            scope="disks:write",
            remember=set_chassis.remember,
        ),
        Operation(
            name="chassis.import",
            request=import_case.ImportCase,
            plan=import_case.plan,
            scope="disks:write",
            remember=import_case.remember,
        ),
        Operation(
            name="bays.set",
            request=set_bays.SetBays,
            plan=set_bays.plan,
            scope="disks:write",
            remember=set_bays.remember,
        ),
        Operation(
            name="bays.teach",
            request=teach_bay.TeachBay,
            plan=teach_bay.plan,
            scope="disks:write",
            remember=teach_bay.remember,
        ),
        Operation(
            name="disk.locate",
            request=locate.LocateDisk,
            plan=locate.plan,
            scope="disks:write",
            remember=locate.remember,
        ),
        Operation(
            name="disk.smart-test",
            request=smart_test.RunSelfTest,
            plan=smart_test.plan,
            scope="disks:write",
            remember=smart_test.remember,
        ),
        Operation(
            name="disk.burn-in",
            request=burn_in.BurnInDisk,
            plan=burn_in.plan,
            scope="disks:write",
            remember=burn_in.remember,
        ),
        Operation(
            name="disk.stop-burn-in",
            request=stop_burn_in.StopBurnIn,
            plan=stop_burn_in.plan,
            scope="disks:write",
        ),
        Operation(
            name="disk.note",
            request=note.NoteDisk,
            plan=note.plan,
            scope="disks:write",
            remember=note.remember,
        ),
    )
}
