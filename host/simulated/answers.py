"""Which function answers which command."""

from __future__ import annotations

from host import commands as c
from host.base import Result
from host.simulated import clients, copies, enclosures, facts, leds, people, samba_people, units
from host.simulated.arrays import events as array_events
from host.simulated.arrays import file_systems, mdadm
from host.simulated.arrays import output as array_output
from host.simulated.blocks import exclusive, output, preparation
from host.simulated.datasets import (
    admission,
    cloning,
    holds,
    keys,
    limits,
    marks,
    mounting,
    moving,
    snapshot_output,
    snapshots,
)
from host.simulated.datasets import lifecycle as datasets
from host.simulated.datasets import output as dataset_output
from host.simulated.datasets.table import property_table
from host.simulated.files import reading as files
from host.simulated.files import restoring, rights
from host.simulated.network import changes as network_changes
from host.simulated.network import reading as network
from host.simulated.pools import attaching, away, care, members
from host.simulated.pools import lifecycle as pools
from host.simulated.pools.get_output import zpool_get
from host.simulated.pools.iostat_output import zpool_iostat
from host.simulated.pools.status_output import zpool_errors, zpool_status
from host.simulated.refusal import done
from host.simulated.sharing import answers as sharing
from host.simulated.smart import answers as smart
from host.simulated.state import Machine
from host.simulated.system import boot, boot_pair, converting, moved_state, swap


class UnknownCommand(Exception):
    """The simulator has no answer to a command: it must be taught before the command is used."""


def answer(machine: Machine, command: c.Command, given: bytes = b"") -> Result:
    """What the command leaves; `given` is the secret on its standard input.

    Raises `Refusal` where it fails, and `UnknownCommand`.
    """
    exclusive.check(machine, command)
    match command:
        case c.ZfsCreate():
            return datasets.create(machine, command, given)
        case c.ZpoolCreate():
            return pools.create(machine, command, given)
        case c.ZfsLoadKey():
            return keys.load(machine, command, given)
        case c.ZfsTestKey():
            return keys.test(machine, command, given)
        case c.ZfsUnloadKey():
            return keys.unload(machine, command)
        case c.ZfsChangeKey():
            return keys.change(machine, command, given)
    if (
        account := people.change(machine, command) or samba_people.change(machine, command, given)
    ) is not None:
        return account
    if (arrays := mdadm.change(machine, command) or file_systems.change(machine, command)) is not None:
        return arrays
    if (copied := copies.answer(machine, command) or converting.answer(machine, command)) is not None:
        return copied
    if (own := swap.answer(machine, command) or moved_state.answer(machine, command)) is not None:
        return own
    return _read(machine, command) if command.reads else _change(machine, command)


def _read(machine: Machine, command: c.Command) -> Result:
    match command:
        case c.Lsblk():
            return done(output.lsblk(machine))
        case c.LoopFiles():
            return output.loop_files(machine)
        case c.DiskLinks():
            return done(output.disk_links(machine))
        case c.MdState():
            return array_output.state(machine)
        case c.MdEvents():
            return array_events.output(machine)
        case c.DiskSequence():
            return done(output.disk_sequence(machine))
        case c.ListEnclosures():
            return enclosures.list_enclosures(machine)
        case c.EnclosureFiles():
            return enclosures.files(machine, command)
        case c.EnclosureDevices():
            return enclosures.devices(machine, command)
        case c.LedSlots():
            return done(leds.list_slots(machine, command))
        case c.SmartRead():
            return smart.read(machine, command)
        case c.ReadFact():
            return done(facts.fact(machine, command.path))
        case c.PoolStates():
            return facts.pool_states(machine)
        case c.EccControllers():
            return done(facts.ecc_controllers(machine))
        case c.MemoryModules():
            return done(facts.memory_modules(machine))
        case c.FolderHolds():
            return facts.folder_holds(machine, command.path)
        case c.InstalledKernels():
            return done(boot.kernels(machine))
        case c.BootMenu():
            return done(boot.menu(machine))
        case c.ImportUnits():
            return done(boot.import_units(machine))
        case c.CachedPools():
            return boot.cached_pools(machine)
        case c.ReadFolder() | c.SeeVersions() | c.MeasureFiles() | c.CompareTexts():
            return files.read(machine, command)
        case c.ReadRestore():
            return restoring.report(machine, command)
        case c.ListRestores():
            return done("[]\n")
        case c.FilesUnitSaid():
            return done(restoring.said(machine, command))
        case c.ListUnits():
            return done(units.list_units(machine))
        case c.ReadBurnIn():
            return units.read_burn_in(machine, command)
        case c.UnitSaid():
            return done(units.said(machine, command))
        case c.ZfsVersion():
            return done(facts.zfs_version(machine))
    other = network.read(machine, command) or _read_sharing(machine, command)
    return other or _read_storage(machine, command)


def _read_sharing(machine: Machine, command: c.Command) -> Result | None:
    match command:
        case c.SambaAccounts():
            return samba_people.listing(machine)
        case c.SambaMark():
            return samba_people.mark(machine)
        case c.ReadFolderRights():
            return rights.read(machine, command)
        case c.ReadRightsReport():
            return rights.report(machine, command)
        case c.ListRightsRuns():
            return done(rights.list_runs(machine))
        case c.RightsUnitSaid():
            return done(rights.said(machine, command))
        case c.SambaStatus():
            return done(clients.smbstatus(machine))
        case c.NfsClients():
            return clients.nfs_clients(machine)
    return None


def _read_storage(machine: Machine, command: c.Command) -> Result:
    match command:
        case c.HostId():
            return done(f"{preparation.HOSTID:08x}\n")
        case c.ZdbLabel():
            return preparation.zdb_label(machine, command)
        case c.ZpoolStatus():
            return done(zpool_status(machine))
        case c.ZpoolErrors():
            return zpool_errors(machine, command)
        case c.ZpoolImportable():
            return away.importable(machine, command)
        case c.ZpoolIostat():
            return zpool_iostat(machine, command)
        case c.ZpoolGet():
            return done(zpool_get(machine))
        case c.ZfsMountpoints():
            return dataset_output.zfs_mountpoints(machine, command)
        case c.ZfsGetReceived():
            return dataset_output.zfs_get_received(machine, command)
        case c.ZfsGet():
            return done(dataset_output.zfs_get(machine))
        case c.ZfsGetSome():
            return dataset_output.zfs_get_some(machine, command)
        case c.ZfsListNames():
            return done(dataset_output.zfs_list_names(machine, command))
        case c.ZfsSpace():
            return limits.space(machine, command)
        case c.ZfsPropertyTable():
            return property_table()
        case c.ZfsGetMarks():
            return marks.get_marks(machine, command)
        case c.ZfsListSnapshots():
            return snapshot_output.list_snapshots(machine, command)
        case c.ZfsSnapshotDetails():
            return snapshot_output.details(machine, command)
        case c.ZfsHolds():
            return snapshot_output.holds(machine, command)
        case c.ZfsReclaim():
            return snapshots.reclaim(machine, command)
        case c.ZfsDiff():
            return snapshot_output.diff(machine, command)
    if (shared := sharing.read(machine, command)) is not None:
        return shared
    raise UnknownCommand(type(command).__name__)


def _change(machine: Machine, command: c.Command) -> Result:
    match command:
        case c.WipeSignatures():
            return preparation.wipe_signatures(machine, command)
        case c.WritePartition():
            return preparation.write_partition(machine, command)
        case c.CopyTable():
            return boot_pair.copy_table(machine, command)
        case c.BootCopy():
            return boot_pair.boot_copy(machine, command)
        case c.UdevWait():
            return preparation.wait(machine, command)
        case c.UdevSettle():
            return preparation.settle(machine, command)
        case c.StartBlink():
            return units.start_blink(machine, command)
        case c.StartBurnIn():
            return units.start_burn_in(machine, command)
        case c.RestoreFile():
            return restoring.start(machine, command)
        case c.StopRestore():
            return restoring.stop(command)
        case c.SetFolderRights():
            return rights.set_rights(machine, command)
        case c.ApplyRights():
            return rights.start(machine, command)
        case c.StopApplyingRights():
            return rights.stop(machine, command)
        case c.EndSmbd():
            return clients.end_smbd(machine, command)
        case c.ExpireNfsClient():
            return clients.expire(machine, command)
        case c.HandOutFile():
            return restoring.hand_out(machine, command)
        case c.StopUnit():
            return units.stop_unit(machine, command)
        case c.SmartTest():
            return smart.test(machine, command)
        case c.LedLight():
            return leds.light(machine, command)
        case c.SlotLight():
            return enclosures.light(machine, command)
        case c.ZpoolDestroy():
            return pools.destroy(machine, command)
        case c.ZfsSet() | c.ZfsInherit() | c.ZfsDestroy() | c.ZfsMount() | c.ZfsUnmount() | c.MountPool():
            return _change_dataset(machine, command)
        case c.ZfsSetQuota():
            return limits.set_quota(machine, command)
        case c.ZfsRename():
            return moving.rename(machine, command)
        case c.ZfsPromote():
            return moving.promote(machine, command)
    other = network_changes.change(machine, command) or _change_snapshot(machine, command)
    return other or _change_pool(machine, command)


def _change_snapshot(machine: Machine, command: c.Command) -> Result | None:
    match command:
        case c.ZfsSnapshot():
            return snapshots.take(machine, command)
        case c.ZfsDestroySnapshots():
            return snapshots.destroy(machine, command)
        case c.ZfsHold():
            return holds.hold(machine, command)
        case c.ZfsRelease():
            return holds.release(machine, command)
        case c.ZfsClone():
            return cloning.clone(machine, command)
        case c.ZfsRollback():
            return cloning.rollback(machine, command)
        case c.ZfsRenameSnapshot():
            return cloning.rename(machine, command)
    return None


def _change_dataset(machine: Machine, command: c.Command) -> Result:
    match command:
        case c.ZfsSet():
            return datasets.set_values(machine, command)
        case c.ZfsInherit():
            return datasets.inherit(machine, command)
        case c.ZfsDestroy():
            return datasets.destroy(machine, command)
        case c.ZfsMount():
            return mounting.mount(machine, command)
        case c.MountPool():
            return admission.mount_pool(machine, command)
        case c.ZfsUnmount():
            return mounting.unmount(machine, command)
    raise UnknownCommand(type(command).__name__)


def _change_pool(machine: Machine, command: c.Command) -> Result:
    match command:
        case c.ZpoolAdd():
            return members.add(machine, command)
        case c.ZpoolAttach():
            return attaching.attach(machine, command)
        case c.ZpoolCancelRemoval():
            return members.cancel_removal(machine, command)
        case c.ZpoolCheckpoint():
            return care.checkpoint(machine, command)
        case c.ZpoolClear():
            return care.clear(machine, command)
        case c.ZpoolDetach():
            return members.detach(machine, command)
        case c.ZpoolExport():
            return away.export(machine, command)
        case c.ZpoolImport():
            return away.take_in(machine, command)
        case c.ZpoolImportLoss():
            return away.import_loss(machine, command)
        case c.ZpoolInitialize():
            return care.initialize(machine, command)
        case c.ZpoolOffline():
            return members.offline(machine, command)
        case c.ZpoolOnline():
            return members.online(machine, command)
        case c.ZpoolRemove():
            return members.remove(machine, command)
        case c.ZpoolReplace():
            return attaching.replace(machine, command)
        case c.ZpoolScrub():
            return care.scrub(machine, command)
        case c.ZpoolSet():
            return care.set_value(machine, command)
        case c.ZpoolTrim():
            return care.trim(machine, command)
        case c.ZpoolUpgrade():
            return care.upgrade(machine, command)
    if (shared := sharing.change(machine, command)) is not None:
        return shared
    raise UnknownCommand(type(command).__name__)
