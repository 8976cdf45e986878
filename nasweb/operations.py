"""Every operation, by name. To add one: write its module next to its neighbours, then a row here."""

from __future__ import annotations

from functools import partial
from typing import cast

from alerts.doctor import acknowledge as doctor_acknowledge
from alerts.incidents import acknowledge as alert_acknowledge
from disks.bays import import_case, set_bays, set_chassis, teach_bay
from disks.drives import burn_in, forget, locate, note, smart_test, stop_burn_in, wipe
from host.families import Family
from host.inventory import Inventory
from jobs.operation import Operation
from jobs.plan import Plan
from jobs.schedules import change, delete
from nasweb.array_operations import ARRAYS
from nasweb.boot_operations import BOOT
from nasweb.machine_operations import MACHINE
from nasweb.state_operations import STATE
from pools import create_pool, destroy_pool
from pools.care import checkpoint, initialize, schedule, scrub, trim, upgrade
from pools.datasets import (
    create_dataset,
    destroy_dataset,
    mount_dataset,
    promote_dataset,
    rename_dataset,
    set_properties,
    unmount_dataset,
)
from pools.datasets.presets import PresetName
from pools.files import restore, stop_restore
from pools.keys import change_key, load_key, test_key, unload_key
from pools.members import add, attach, clear, detach, expand, offline, online, remove, replace
from pools.policies import prune, run_policies, set_policy
from pools.quotas import set_quotas
from pools.snapshots import clone, destroy_snapshots, hold, release, rename_snapshot, rollback, take_snapshot
from pools.travel import export_pool, import_pool, relink_pool
from shares import apply_again, following, set_sharing, share_folder
from shares.nfs import exports
from shares.people import (
    change_group,
    change_person,
    create_group,
    create_person,
    delete_group,
    delete_person,
    set_password,
)
from shares.rights import set_rights, stop
from shares.sessions import end
from shares.smb import change_share, create_share, delete_share

_on_pools = partial(Operation, scope="pools:write")
_on_datasets = partial(_on_pools, needs=frozenset({Family.POOLS}))
_on_disks = partial(Operation, scope="disks:write")
_on_alerts = partial(Operation, scope="alerts:write")
_on_shares = partial(Operation, scope="shares:write", needs=following.READS)


def _new_dataset(name: str, preset: str, inventory: Inventory) -> Plan:
    request = create_dataset.CreateDataset(name=name, preset=cast("PresetName", preset))
    return create_dataset.plan(request, inventory)


OPERATIONS: dict[str, Operation] = {
    operation.name: operation
    for operation in (
        _on_pools(name="pool.create", request=create_pool.CreatePool, plan=create_pool.plan),
        _on_pools(name="pool.destroy", request=destroy_pool.DestroyPool, plan=destroy_pool.plan),
        _on_pools(name="pool.export", request=export_pool.ExportPool, plan=export_pool.plan),
        _on_pools(
            name="pool.import",
            request=import_pool.ImportPool,
            plan=import_pool.plan,
            labels=import_pool.labels,
        ),
        _on_pools(name="pool.relink", request=relink_pool.RelinkPool, plan=relink_pool.plan),
        _on_datasets(name="pool.scrub", request=scrub.ScrubPool, plan=scrub.plan),
        _on_datasets(name="pool.trim", request=trim.TrimPool, plan=trim.plan),
        _on_datasets(name="pool.initialize", request=initialize.InitializePool, plan=initialize.plan),
        _on_datasets(name="pool.upgrade", request=upgrade.UpgradePool, plan=upgrade.plan),
        _on_datasets(name="pool.checkpoint", request=checkpoint.CheckpointPool, plan=checkpoint.plan),
        _on_pools(name="pool.clear", request=clear.ClearPool, plan=clear.plan),
        _on_pools(name="pool.add", request=add.AddVdevs, plan=add.plan),
        _on_pools(name="pool.attach", request=attach.AttachDisk, plan=attach.plan),
        _on_pools(name="pool.detach", request=detach.DetachMember, plan=detach.plan),
        _on_pools(name="pool.replace", request=replace.ReplaceMember, plan=replace.plan),
        _on_pools(name="pool.offline", request=offline.OfflineMember, plan=offline.plan),
        _on_pools(name="pool.online", request=online.OnlineMember, plan=online.plan),
        _on_pools(name="pool.remove", request=remove.RemoveVdev, plan=remove.plan),
        _on_pools(name="pool.expand", request=expand.ExpandPool, plan=expand.plan),
        _on_pools(
            name="pool.schedule",
            request=schedule.ScheduleCare,
            plan=schedule.plan,
            remember=schedule.remember,
        ),
        _on_pools(
            name="schedule.change",
            request=change.ChangeSchedule,
            plan=change.plan,
            remember=change.remember,
        ),
        _on_pools(
            name="schedule.delete",
            request=delete.DeleteSchedule,
            plan=delete.plan,
            remember=delete.remember,
        ),
        _on_datasets(name="dataset.create", request=create_dataset.CreateDataset, plan=create_dataset.plan),
        _on_datasets(name="dataset.load-key", request=load_key.LoadKey, plan=load_key.plan),
        _on_datasets(name="dataset.unload-key", request=unload_key.UnloadKey, plan=unload_key.plan),
        _on_datasets(name="dataset.change-key", request=change_key.ChangeKey, plan=change_key.plan),
        _on_datasets(name="dataset.test-key", request=test_key.TestKey, plan=test_key.plan),
        _on_datasets(name="dataset.quota", request=set_quotas.SetQuotas, plan=set_quotas.plan),
        _on_datasets(name="dataset.set", request=set_properties.SetProperties, plan=set_properties.plan),
        _on_datasets(
            name="dataset.bulk-set",
            request=set_properties.BulkSetProperties,
            plan=set_properties.plan_bulk,
        ),
        _on_datasets(
            name="dataset.rename",
            request=rename_dataset.RenameDataset,
            plan=rename_dataset.plan,
            snapshots=rename_dataset.affected,
        ),
        _on_datasets(
            name="dataset.promote", request=promote_dataset.PromoteDataset, plan=promote_dataset.plan
        ),
        _on_datasets(name="dataset.mount", request=mount_dataset.MountDataset, plan=mount_dataset.plan),
        _on_datasets(
            name="dataset.unmount", request=unmount_dataset.UnmountDataset, plan=unmount_dataset.plan
        ),
        _on_datasets(
            name="dataset.destroy",
            request=destroy_dataset.DestroyDataset,
            plan=destroy_dataset.plan,
            snapshots=destroy_dataset.affected,
        ),
        _on_datasets(
            name="snapshot.create",
            request=take_snapshot.TakeSnapshot,
            plan=take_snapshot.plan,
            snapshots=take_snapshot.affected,
        ),
        _on_datasets(
            name="snapshot.destroy",
            request=destroy_snapshots.DestroySnapshots,
            plan=destroy_snapshots.plan,
            snapshots=destroy_snapshots.affected,
        ),
        _on_datasets(
            name="snapshot.restore",
            request=restore.RestoreFromSnapshot,
            plan=restore.plan,
            scope="files:write",
            asks=restore.asks,
            names_files=True,
        ),
        _on_datasets(
            name="snapshot.stop-restore",
            request=stop_restore.StopOneRestore,
            plan=stop_restore.plan,
            scope="files:write",
            asks=stop_restore.asks,
            names_files=True,
        ),
        _on_datasets(
            name="snapshot.hold",
            request=hold.HoldSnapshots,
            plan=hold.plan,
            snapshots=hold.affected,
            remember=hold.remember,
        ),
        _on_datasets(
            name="snapshot.release",
            request=release.ReleaseSnapshots,
            plan=release.plan,
            snapshots=release.affected,
            remember=release.remember,
        ),
        _on_datasets(
            name="snapshot.clone",
            request=clone.CloneSnapshot,
            plan=clone.plan,
            snapshots=clone.affected,
        ),
        _on_datasets(
            name="snapshot.rename",
            request=rename_snapshot.RenameSnapshot,
            plan=rename_snapshot.plan,
            snapshots=rename_snapshot.affected,
        ),
        _on_datasets(
            name="snapshot.rollback",
            request=rollback.RollBack,
            plan=rollback.plan,
            snapshots=rollback.affected,
        ),
        _on_datasets(
            name="policy.set",
            request=set_policy.SetPolicy,
            plan=set_policy.plan,
            snapshots=set_policy.affected,
        ),
        _on_datasets(
            name="policy.run",
            request=run_policies.RunPolicies,
            plan=run_policies.plan,
            routine=True,
        ),
        _on_datasets(
            name="policy.prune",
            request=prune.PrunePool,
            plan=prune.plan,
            snapshots=prune.affected,
        ),
        _on_shares(
            name="smb.create",
            request=create_share.CreateSmbShare,
            plan=create_share.plan,
            remember=create_share.remember,
        ),
        _on_shares(
            name="smb.change",
            request=change_share.ChangeSmbShare,
            plan=change_share.plan,
            remember=change_share.remember,
        ),
        _on_shares(
            name="smb.delete",
            request=delete_share.DeleteSmbShare,
            plan=delete_share.plan,
            remember=delete_share.remember,
        ),
        _on_shares(
            name="nfs.create",
            request=exports.CreateNfsShare,
            plan=exports.plan_create,
            remember=exports.remember_create,
        ),
        _on_shares(
            name="nfs.change",
            request=exports.ChangeNfsShare,
            plan=exports.plan_change,
            remember=exports.remember_change,
        ),
        _on_shares(
            name="nfs.delete",
            request=exports.DeleteNfsShare,
            plan=exports.plan_delete,
            remember=exports.remember_delete,
        ),
        _on_shares(
            name="sharing.set",
            request=set_sharing.SetSharing,
            plan=set_sharing.plan,
            remember=set_sharing.remember,
        ),
        _on_shares(
            name="folder.share",
            request=share_folder.ShareFolder,
            plan=partial(share_folder.plan, new_dataset=_new_dataset),
            also_needs=share_folder.also_needs,
            remember=share_folder.remember,
        ),
        _on_shares(name="sharing.apply", request=apply_again.ApplySharing, plan=apply_again.plan),
        _on_shares(
            name="sharing.follow",
            request=apply_again.ApplySharing,
            plan=apply_again.plan_following,
            routine=True,
        ),
        _on_shares(name="person.create", request=create_person.CreatePerson, plan=create_person.plan),
        _on_shares(name="person.change", request=change_person.ChangeOnePerson, plan=change_person.plan),
        _on_shares(name="person.password", request=set_password.SetPassword, plan=set_password.plan),
        _on_shares(
            name="person.delete",
            request=delete_person.DeletePerson,
            plan=delete_person.plan,
            remember=delete_person.remember,
        ),
        _on_shares(name="group.create", request=create_group.CreateGroup, plan=create_group.plan),
        _on_shares(name="group.change", request=change_group.ChangeGroup, plan=change_group.plan),
        _on_shares(
            name="group.delete",
            request=delete_group.DeleteGroup,
            plan=delete_group.plan,
            remember=delete_group.remember,
        ),
        _on_shares(
            name="rights.set",
            request=set_rights.SetRights,
            plan=set_rights.plan,
            asks=set_rights.asks,
            names_files=True,
            remember=set_rights.remember,
        ),
        _on_shares(
            name="rights.stop",
            request=stop.StopSettingRights,
            plan=stop.plan,
            asks=stop.asks,
            names_files=True,
            remember=stop.remember,
        ),
        _on_shares(
            name="session.end",
            request=end.EndSession,
            plan=end.plan,
            asks=end.asks,
            remember=end.remember,
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
        _on_disks(name="disk.stop-burn-in", request=stop_burn_in.StopBurnIn, plan=stop_burn_in.plan),
        _on_disks(name="disk.wipe", request=wipe.WipeDisk, plan=wipe.plan, remember=wipe.remember),
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
        *ARRAYS,
        *BOOT,
        *MACHINE,
        *STATE,
        _on_alerts(
            name="alert.acknowledge",
            request=alert_acknowledge.AcknowledgeAlert,
            plan=alert_acknowledge.plan,
            remember=alert_acknowledge.remember,
        ),
        _on_alerts(
            name="doctor.acknowledge",
            request=doctor_acknowledge.AcknowledgeFinding,
            plan=doctor_acknowledge.plan,
            remember=doctor_acknowledge.remember,
        ),
        _on_alerts(
            name="doctor.recall",
            request=doctor_acknowledge.RecallFinding,
            plan=doctor_acknowledge.plan_recall,
            remember=doctor_acknowledge.forget,
        ),
    )
}
OPERATIONS |= {name: following.follows(OPERATIONS[name]) for name in following.FOLLOWED}
