"""Which function answers which command."""

from __future__ import annotations

from host.base import Result
from host.commands.base import Command
from host.commands.datasets.datasets import ZfsPromote, ZfsPropertyTable, ZfsRename
from host.commands.datasets.keys import ZfsChangeKey, ZfsLoadKey, ZfsTestKey, ZfsUnloadKey
from host.commands.datasets.marks import ZfsGetMarks
from host.commands.datasets.snapshots import (
    ZfsClone,
    ZfsDestroySnapshots,
    ZfsDiff,
    ZfsHold,
    ZfsHolds,
    ZfsListSnapshots,
    ZfsReclaim,
    ZfsRelease,
    ZfsRenameSnapshot,
    ZfsRollback,
    ZfsSnapshot,
    ZfsSnapshotDetails,
)
from host.commands.datasets.space import ZfsSetQuota, ZfsSpace
from host.commands.datasets.zfs import (
    ZfsCreate,
    ZfsDestroy,
    ZfsGet,
    ZfsGetReceived,
    ZfsGetSome,
    ZfsInherit,
    ZfsListNames,
    ZfsMount,
    ZfsMountpoints,
    ZfsSet,
    ZfsUnmount,
    ZfsVersion,
)
from host.commands.disks.enclosure import EnclosureDevices, EnclosureFiles, ListEnclosures, SlotLight
from host.commands.disks.labels import ZdbLabel
from host.commands.disks.leds import LedLight, LedSlots
from host.commands.disks.md import MdEvents, MdState
from host.commands.disks.partition import UdevSettle, UdevWait, WipeSignatures, WritePartition
from host.commands.disks.smart import SmartRead, SmartTest
from host.commands.facts import (
    DiskLinks,
    DiskSequence,
    EccControllers,
    FolderHolds,
    HostId,
    LoopFiles,
    Lsblk,
    MemoryModules,
    PoolStates,
    ReadFact,
)
from host.commands.files import (
    CompareTexts,
    FilesUnitSaid,
    HandOutFile,
    ListRestores,
    MeasureFiles,
    ReadFolder,
    ReadRestore,
    RestoreFile,
    SeeVersions,
    StopRestore,
)
from host.commands.pools.care import (
    ZpoolCheckpoint,
    ZpoolClear,
    ZpoolInitialize,
    ZpoolIostat,
    ZpoolScrub,
    ZpoolSet,
    ZpoolTrim,
    ZpoolUpgrade,
)
from host.commands.pools.importing import ZpoolExport, ZpoolImport, ZpoolImportable, ZpoolImportLoss
from host.commands.pools.members import (
    ZpoolAdd,
    ZpoolAttach,
    ZpoolCancelRemoval,
    ZpoolDetach,
    ZpoolOffline,
    ZpoolOnline,
    ZpoolRemove,
    ZpoolReplace,
)
from host.commands.pools.mount import MountPool
from host.commands.pools.zpool import ZpoolCreate, ZpoolDestroy, ZpoolErrors, ZpoolGet, ZpoolStatus
from host.commands.shares.accounts import SambaAccounts, SambaMark
from host.commands.shares.rights import (
    ApplyRights,
    ListRightsRuns,
    ReadFolderRights,
    ReadRightsReport,
    RightsUnitSaid,
    SetFolderRights,
    StopApplyingRights,
)
from host.commands.shares.sessions import EndSmbd, ExpireNfsClient, NfsClients, SambaStatus
from host.commands.system.boot import BootMenu, CachedPools, ImportUnits, InstalledKernels
from host.commands.system.boot_pair import BootCopy, CopyTable
from host.commands.units import ListUnits, ReadBurnIn, StartBlink, StartBurnIn, StopUnit, UnitSaid
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


def answer(machine: Machine, command: Command, given: bytes = b"") -> Result:
    """What the command leaves; `given` is the secret on its standard input.

    Raises `Refusal` where it fails, and `UnknownCommand`.
    """
    exclusive.check(machine, command)
    match command:
        case ZfsCreate():
            return datasets.create(machine, command, given)
        case ZpoolCreate():
            return pools.create(machine, command, given)
        case ZfsLoadKey():
            return keys.load(machine, command, given)
        case ZfsTestKey():
            return keys.test(machine, command, given)
        case ZfsUnloadKey():
            return keys.unload(machine, command)
        case ZfsChangeKey():
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


def _read(machine: Machine, command: Command) -> Result:
    match command:
        case Lsblk():
            return done(output.lsblk(machine))
        case LoopFiles():
            return output.loop_files(machine)
        case DiskLinks():
            return done(output.disk_links(machine))
        case MdState():
            return array_output.state(machine)
        case MdEvents():
            return array_events.output(machine)
        case DiskSequence():
            return done(output.disk_sequence(machine))
        case ListEnclosures():
            return enclosures.list_enclosures(machine)
        case EnclosureFiles():
            return enclosures.files(machine, command)
        case EnclosureDevices():
            return enclosures.devices(machine, command)
        case LedSlots():
            return done(leds.list_slots(machine, command))
        case SmartRead():
            return smart.read(machine, command)
        case ReadFact():
            return done(facts.fact(machine, command.path))
        case PoolStates():
            return facts.pool_states(machine)
        case EccControllers():
            return done(facts.ecc_controllers(machine))
        case MemoryModules():
            return done(facts.memory_modules(machine))
        case FolderHolds():
            return facts.folder_holds(machine, command.path)
        case InstalledKernels():
            return done(boot.kernels(machine))
        case BootMenu():
            return done(boot.menu(machine))
        case ImportUnits():
            return done(boot.import_units(machine))
        case CachedPools():
            return boot.cached_pools(machine)
        case ReadFolder() | SeeVersions() | MeasureFiles() | CompareTexts():
            return files.read(machine, command)
        case ReadRestore():
            return restoring.report(machine, command)
        case ListRestores():
            return done("[]\n")
        case FilesUnitSaid():
            return done(restoring.said(machine, command))
        case ListUnits():
            return done(units.list_units(machine))
        case ReadBurnIn():
            return units.read_burn_in(machine, command)
        case UnitSaid():
            return done(units.said(machine, command))
        case ZfsVersion():
            return done(facts.zfs_version(machine))
    other = network.read(machine, command) or _read_sharing(machine, command)
    return other or _read_storage(machine, command)


def _read_sharing(machine: Machine, command: Command) -> Result | None:
    match command:
        case SambaAccounts():
            return samba_people.listing(machine)
        case SambaMark():
            return samba_people.mark(machine)
        case ReadFolderRights():
            return rights.read(machine, command)
        case ReadRightsReport():
            return rights.report(machine, command)
        case ListRightsRuns():
            return done(rights.list_runs(machine))
        case RightsUnitSaid():
            return done(rights.said(machine, command))
        case SambaStatus():
            return done(clients.smbstatus(machine))
        case NfsClients():
            return clients.nfs_clients(machine)
    return None


def _read_storage(machine: Machine, command: Command) -> Result:
    match command:
        case HostId():
            return done(f"{preparation.HOSTID:08x}\n")
        case ZdbLabel():
            return preparation.zdb_label(machine, command)
        case ZpoolStatus():
            return done(zpool_status(machine))
        case ZpoolErrors():
            return zpool_errors(machine, command)
        case ZpoolImportable():
            return away.importable(machine, command)
        case ZpoolIostat():
            return zpool_iostat(machine, command)
        case ZpoolGet():
            return done(zpool_get(machine))
        case ZfsMountpoints():
            return dataset_output.zfs_mountpoints(machine, command)
        case ZfsGetReceived():
            return dataset_output.zfs_get_received(machine, command)
        case ZfsGet():
            return done(dataset_output.zfs_get(machine))
        case ZfsGetSome():
            return dataset_output.zfs_get_some(machine, command)
        case ZfsListNames():
            return done(dataset_output.zfs_list_names(machine, command))
        case ZfsSpace():
            return limits.space(machine, command)
        case ZfsPropertyTable():
            return property_table()
        case ZfsGetMarks():
            return marks.get_marks(machine, command)
        case ZfsListSnapshots():
            return snapshot_output.list_snapshots(machine, command)
        case ZfsSnapshotDetails():
            return snapshot_output.details(machine, command)
        case ZfsHolds():
            return snapshot_output.holds(machine, command)
        case ZfsReclaim():
            return snapshots.reclaim(machine, command)
        case ZfsDiff():
            return snapshot_output.diff(machine, command)
    if (shared := sharing.read(machine, command)) is not None:
        return shared
    raise UnknownCommand(type(command).__name__)


def _change(machine: Machine, command: Command) -> Result:
    match command:
        case WipeSignatures():
            return preparation.wipe_signatures(machine, command)
        case WritePartition():
            return preparation.write_partition(machine, command)
        case CopyTable():
            return boot_pair.copy_table(machine, command)
        case BootCopy():
            return boot_pair.boot_copy(machine, command)
        case UdevWait():
            return preparation.wait(machine, command)
        case UdevSettle():
            return preparation.settle(machine, command)
        case StartBlink():
            return units.start_blink(machine, command)
        case StartBurnIn():
            return units.start_burn_in(machine, command)
        case RestoreFile():
            return restoring.start(machine, command)
        case StopRestore():
            return restoring.stop(command)
        case SetFolderRights():
            return rights.set_rights(machine, command)
        case ApplyRights():
            return rights.start(machine, command)
        case StopApplyingRights():
            return rights.stop(machine, command)
        case EndSmbd():
            return clients.end_smbd(machine, command)
        case ExpireNfsClient():
            return clients.expire(machine, command)
        case HandOutFile():
            return restoring.hand_out(machine, command)
        case StopUnit():
            return units.stop_unit(machine, command)
        case SmartTest():
            return smart.test(machine, command)
        case LedLight():
            return leds.light(machine, command)
        case SlotLight():
            return enclosures.light(machine, command)
        case ZpoolDestroy():
            return pools.destroy(machine, command)
        case ZfsSet() | ZfsInherit() | ZfsDestroy() | ZfsMount() | ZfsUnmount() | MountPool():
            return _change_dataset(machine, command)
        case ZfsSetQuota():
            return limits.set_quota(machine, command)
        case ZfsRename():
            return moving.rename(machine, command)
        case ZfsPromote():
            return moving.promote(machine, command)
    other = network_changes.change(machine, command) or _change_snapshot(machine, command)
    return other or _change_pool(machine, command)


def _change_snapshot(machine: Machine, command: Command) -> Result | None:
    match command:
        case ZfsSnapshot():
            return snapshots.take(machine, command)
        case ZfsDestroySnapshots():
            return snapshots.destroy(machine, command)
        case ZfsHold():
            return holds.hold(machine, command)
        case ZfsRelease():
            return holds.release(machine, command)
        case ZfsClone():
            return cloning.clone(machine, command)
        case ZfsRollback():
            return cloning.rollback(machine, command)
        case ZfsRenameSnapshot():
            return cloning.rename(machine, command)
    return None


def _change_dataset(machine: Machine, command: Command) -> Result:
    match command:
        case ZfsSet():
            return datasets.set_values(machine, command)
        case ZfsInherit():
            return datasets.inherit(machine, command)
        case ZfsDestroy():
            return datasets.destroy(machine, command)
        case ZfsMount():
            return mounting.mount(machine, command)
        case MountPool():
            return admission.mount_pool(machine, command)
        case ZfsUnmount():
            return mounting.unmount(machine, command)
    raise UnknownCommand(type(command).__name__)


def _change_pool(machine: Machine, command: Command) -> Result:
    match command:
        case ZpoolAdd():
            return members.add(machine, command)
        case ZpoolAttach():
            return attaching.attach(machine, command)
        case ZpoolCancelRemoval():
            return members.cancel_removal(machine, command)
        case ZpoolCheckpoint():
            return care.checkpoint(machine, command)
        case ZpoolClear():
            return care.clear(machine, command)
        case ZpoolDetach():
            return members.detach(machine, command)
        case ZpoolExport():
            return away.export(machine, command)
        case ZpoolImport():
            return away.take_in(machine, command)
        case ZpoolImportLoss():
            return away.import_loss(machine, command)
        case ZpoolInitialize():
            return care.initialize(machine, command)
        case ZpoolOffline():
            return members.offline(machine, command)
        case ZpoolOnline():
            return members.online(machine, command)
        case ZpoolRemove():
            return members.remove(machine, command)
        case ZpoolReplace():
            return attaching.replace(machine, command)
        case ZpoolScrub():
            return care.scrub(machine, command)
        case ZpoolSet():
            return care.set_value(machine, command)
        case ZpoolTrim():
            return care.trim(machine, command)
        case ZpoolUpgrade():
            return care.upgrade(machine, command)
    if (shared := sharing.change(machine, command)) is not None:
        return shared
    raise UnknownCommand(type(command).__name__)
