"""The closed set of commands. The helper runs nothing else."""

from __future__ import annotations

import msgspec

from host import typed
from host.commands.base import Command
from host.commands.copies import (
    CheckCopy,
    ForgetStaged,
    HandOutCopy,
    ImportSambaAccounts,
    KeepCopy,
    ListCopies,
    OrderRestored,
    RestartConsole,
    SaveSambaAccounts,
    StageCopy,
)
from host.commands.datasets.datasets import ZfsPromote, ZfsPropertyTable, ZfsRename
from host.commands.datasets.keys import ForgetSecrets, ZfsChangeKey, ZfsLoadKey, ZfsTestKey, ZfsUnloadKey
from host.commands.datasets.marks import ZfsGetMarks
from host.commands.datasets.mounting import (
    GrowFileSystem,
    MakeFileSystem,
    ReadUnits,
    RemoveMount,
    StartMount,
    StopMount,
    SyncUnits,
    WriteMount,
)
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
from host.commands.disks.md import (
    MdAdd,
    MdBitmap,
    MdCheck,
    MdCreate,
    MdEvents,
    MdFail,
    MdGrow,
    MdReAdd,
    MdRemove,
    MdReplace,
    MdRun,
    MdState,
    MdStop,
    MdZeroSuperblock,
)
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
from host.commands.naming import (
    ClockState,
    MakeCertificate,
    PlaceHosts,
    SetHostname,
    SetTimeZone,
    StageHosts,
)
from host.commands.network import (
    Addresses,
    ConfirmNetwork,
    DefaultRoutes,
    ForgetUndone,
    HoldWayBack,
    MachineFiles,
    MachineMarks,
    NetworkUnits,
    PlaceNetwork,
    ReconfigureInterface,
    ReloadNetworks,
    RollBackNetwork,
    StageNetwork,
    StageWayBack,
    StartRollbackTimer,
    StopRollbackTimer,
    SyncNetwork,
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
from host.commands.pools.zpool import VdevSpec, ZpoolCreate, ZpoolDestroy, ZpoolErrors, ZpoolGet, ZpoolStatus
from host.commands.shares.accounts import (
    AddGroup,
    AddPerson,
    ChangePerson,
    DisableInSamba,
    EnableInSamba,
    JoinGroup,
    LeaveGroup,
    RemoveFromSamba,
    RemoveGroup,
    RemovePerson,
    SambaAccounts,
    SambaMark,
    SetMembers,
    SetSambaExpiry,
    SetSambaPassword,
)
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
from host.commands.shares.sharing import (
    CheckExports,
    CheckSamba,
    CloseShare,
    ExportsAnswer,
    KeepFile,
    PlaceFile,
    PutBackFile,
    ReleaseNfs,
    ReloadService,
    ShareAnswers,
    SharingFiles,
    SharingServices,
    StageFile,
    SwitchService,
)
from host.commands.system.boot import BootMenu, CachedPools, ImportUnits, InstalledKernels
from host.commands.system.boot_pair import BootCopy, CopyTable
from host.commands.system.converting import (
    ConvertRuns,
    ConvertSaid,
    ForgetConverting,
    ReadBootNotes,
    RestartIntoCopy,
    StartConverting,
    StopConverting,
    WriteBootTable,
)
from host.commands.system.moved_state import (
    ForgetState,
    OrderReturn,
    StartStateCopy,
    StateCopying,
    StateFiles,
    StateSpace,
    StopStateCopy,
    SyncState,
    WantState,
    WatchState,
)
from host.commands.system.swap import (
    AddSwapPartition,
    MakeSwap,
    MakeSwapArray,
    RemoveSwapUnit,
    SetZram,
    StartSwap,
    StartZram,
    StopSwap,
    StopZram,
    SwapFiles,
    WriteSwapUnit,
    ZramProgram,
)
from host.commands.units import ListUnits, ReadBurnIn, StartBlink, StartBurnIn, StopUnit, UnitSaid

AnyCommand = (
    AddGroup | AddPerson | AddSwapPartition | Addresses | ApplyRights | BootCopy | BootMenu
    | CachedPools | ChangePerson | CheckCopy | CheckExports | CheckSamba | ClockState | CloseShare
    | CompareTexts | ConfirmNetwork | ConvertRuns | ConvertSaid | CopyTable | DefaultRoutes
    | DisableInSamba | DiskLinks | DiskSequence | EccControllers | EnableInSamba | EnclosureDevices
    | EnclosureFiles | EndSmbd | ExpireNfsClient | ExportsAnswer | FilesUnitSaid | FolderHolds
    | ForgetConverting | ForgetSecrets | ForgetStaged | ForgetState | ForgetUndone | GrowFileSystem
    | HandOutCopy | HandOutFile | HoldWayBack | HostId | MountPool
    | ImportSambaAccounts | ImportUnits | InstalledKernels
    | JoinGroup | KeepCopy | KeepFile | LeaveGroup | LedLight | LedSlots | ListCopies | ListEnclosures
    | ListRestores | ListRightsRuns | ListUnits | LoopFiles | Lsblk | MachineFiles | MachineMarks
    | MakeCertificate | MakeFileSystem
    | MakeSwap | MakeSwapArray | MdAdd | MdBitmap | MdCheck | MdCreate | MdEvents | MdFail | MdGrow
    | MdReAdd | MdRemove | MdReplace | MdRun | MdState | MdStop | MdZeroSuperblock | MeasureFiles
    | MemoryModules | NetworkUnits | NfsClients | OrderRestored | OrderReturn | PlaceFile | PlaceHosts
    | PlaceNetwork | PoolStates | PutBackFile | ReadBootNotes | ReadBurnIn | ReadFact | ReadFolder
    | ReadFolderRights | ReadRestore | ReadRightsReport | ReadUnits | ReconfigureInterface | ReleaseNfs
    | ReloadNetworks | ReloadService | RemoveFromSamba | RemoveGroup | RemoveMount | RemovePerson
    | RemoveSwapUnit | RestartConsole | RestartIntoCopy | RestoreFile | RightsUnitSaid
    | RollBackNetwork | SambaAccounts | SambaMark | SambaStatus | SaveSambaAccounts | SeeVersions
    | SetFolderRights | SetHostname | SetMembers | SetSambaExpiry | SetSambaPassword | SetTimeZone | SetZram
    | ShareAnswers | SharingFiles | SharingServices | SlotLight | SmartRead | SmartTest | StageCopy
    | StageFile | StageHosts | StageNetwork | StageWayBack | StartBlink | StartBurnIn | StartConverting
    | StartMount | StartRollbackTimer | StartStateCopy | StartSwap | StartZram | StateCopying
    | StateFiles | StateSpace | StopApplyingRights | StopConverting | StopMount | StopRestore
    | StopRollbackTimer | StopStateCopy | StopSwap | StopUnit | StopZram | SwapFiles | SwitchService
    | SyncNetwork | SyncState | SyncUnits | UdevSettle | UdevWait | UnitSaid | WantState | WatchState
    | WipeSignatures | WriteBootTable | WriteMount | WritePartition | WriteSwapUnit | ZdbLabel
    | ZfsChangeKey | ZfsClone | ZfsCreate | ZfsDestroy | ZfsDestroySnapshots | ZfsDiff | ZfsGet
    | ZfsGetMarks | ZfsGetReceived | ZfsGetSome | ZfsHold | ZfsHolds | ZfsInherit | ZfsListNames
    | ZfsListSnapshots | ZfsLoadKey
    | ZfsMount | ZfsMountpoints | ZfsPromote | ZfsPropertyTable | ZfsReclaim | ZfsRelease | ZfsRename
    | ZfsRenameSnapshot | ZfsRollback | ZfsSet | ZfsSetQuota | ZfsSnapshot | ZfsSnapshotDetails
    | ZfsSpace | ZfsTestKey | ZfsUnloadKey | ZfsUnmount | ZfsVersion | ZpoolAdd | ZpoolAttach
    | ZpoolCancelRemoval | ZpoolCheckpoint | ZpoolClear | ZpoolCreate | ZpoolDestroy | ZpoolDetach
    | ZpoolErrors | ZpoolExport | ZpoolGet | ZpoolImport | ZpoolImportLoss | ZpoolImportable
    | ZpoolInitialize | ZpoolIostat | ZpoolOffline | ZpoolOnline | ZpoolRemove | ZpoolReplace
    | ZpoolScrub | ZpoolSet | ZpoolStatus | ZpoolTrim | ZpoolUpgrade | ZramProgram
)  # fmt: skip

__all__ = [
    "AddGroup", "AddPerson", "AddSwapPartition", "Addresses", "AnyCommand", "ApplyRights", "BootCopy",
    "BootMenu", "CachedPools", "ChangePerson", "CheckCopy", "CheckExports", "CheckSamba", "ClockState",
    "CloseShare", "Command", "CompareTexts", "ConfirmNetwork", "ConvertRuns", "ConvertSaid",
    "CopyTable", "DefaultRoutes", "DisableInSamba", "DiskLinks", "DiskSequence", "EccControllers",
    "EnableInSamba", "EnclosureDevices", "EnclosureFiles", "EndSmbd", "ExpireNfsClient",
    "ExportsAnswer", "FilesUnitSaid", "FolderHolds", "ForgetConverting", "ForgetSecrets",
    "ForgetStaged", "ForgetState", "ForgetUndone", "GrowFileSystem", "HandOutCopy", "HandOutFile",
    "HoldWayBack", "HostId",
    "ImportSambaAccounts", "ImportUnits", "InstalledKernels", "JoinGroup", "KeepCopy",
    "KeepFile", "LeaveGroup", "LedLight", "LedSlots", "ListCopies", "ListEnclosures", "ListRestores",
    "ListRightsRuns", "ListUnits", "LoopFiles", "Lsblk", "MachineFiles", "MachineMarks", "MakeCertificate",
    "MakeFileSystem",
    "MakeSwap", "MakeSwapArray", "MdAdd", "MdBitmap", "MdCheck", "MdCreate", "MdEvents", "MdFail",
    "MdGrow", "MdReAdd", "MdRemove", "MdReplace", "MdRun", "MdState", "MdStop", "MdZeroSuperblock",
    "MeasureFiles", "MemoryModules", "MountPool",
    "NetworkUnits", "NfsClients", "OrderRestored", "OrderReturn",
    "PlaceFile", "PlaceHosts", "PlaceNetwork", "PoolStates", "PutBackFile", "ReadBootNotes",
    "ReadBurnIn", "ReadFact", "ReadFolder", "ReadFolderRights", "ReadRestore", "ReadRightsReport",
    "ReadUnits", "ReconfigureInterface", "ReleaseNfs", "ReloadNetworks", "ReloadService",
    "RemoveFromSamba", "RemoveGroup", "RemoveMount", "RemovePerson", "RemoveSwapUnit",
    "RestartConsole", "RestartIntoCopy", "RestoreFile", "RightsUnitSaid", "RollBackNetwork",
    "SambaAccounts", "SambaMark", "SambaStatus", "SaveSambaAccounts", "SeeVersions", "SetFolderRights",
    "SetHostname", "SetMembers", "SetSambaExpiry", "SetSambaPassword", "SetTimeZone", "SetZram",
    "ShareAnswers", "SharingFiles", "SharingServices", "SlotLight", "SmartRead", "SmartTest",
    "StageCopy", "StageFile", "StageHosts", "StageNetwork", "StageWayBack", "StartBlink",
    "StartBurnIn", "StartConverting", "StartMount", "StartRollbackTimer", "StartStateCopy",
    "StartSwap", "StartZram", "StateCopying", "StateFiles", "StateSpace", "StopApplyingRights",
    "StopConverting", "StopMount", "StopRestore", "StopRollbackTimer", "StopStateCopy", "StopSwap",
    "StopUnit", "StopZram", "SwapFiles", "SwitchService", "SyncNetwork", "SyncState", "SyncUnits",
    "UdevSettle", "UdevWait", "UnitSaid", "VdevSpec", "WantState", "WatchState", "WipeSignatures",
    "WriteBootTable", "WriteMount", "WritePartition", "WriteSwapUnit", "ZdbLabel", "ZfsChangeKey", "ZfsClone",
    "ZfsCreate", "ZfsDestroy", "ZfsDestroySnapshots", "ZfsDiff", "ZfsGet", "ZfsGetMarks",
    "ZfsGetReceived", "ZfsGetSome", "ZfsHold", "ZfsHolds", "ZfsInherit", "ZfsListNames",
    "ZfsListSnapshots", "ZfsLoadKey",
    "ZfsMount", "ZfsMountpoints", "ZfsPromote", "ZfsPropertyTable", "ZfsReclaim", "ZfsRelease", "ZfsRename",
    "ZfsRenameSnapshot", "ZfsRollback", "ZfsSet", "ZfsSetQuota", "ZfsSnapshot", "ZfsSnapshotDetails",
    "ZfsSpace", "ZfsTestKey", "ZfsUnloadKey", "ZfsUnmount", "ZfsVersion", "ZpoolAdd", "ZpoolAttach",
    "ZpoolCancelRemoval", "ZpoolCheckpoint", "ZpoolClear", "ZpoolCreate", "ZpoolDestroy",
    "ZpoolDetach", "ZpoolErrors", "ZpoolExport", "ZpoolGet", "ZpoolImport", "ZpoolImportLoss",
    "ZpoolImportable", "ZpoolInitialize", "ZpoolIostat", "ZpoolOffline", "ZpoolOnline", "ZpoolRemove",
    "ZpoolReplace", "ZpoolScrub", "ZpoolSet", "ZpoolStatus", "ZpoolTrim", "ZpoolUpgrade",
    "ZramProgram", "decode", "encode",
]  # fmt: skip

_decoder: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)


def encode(command: Command) -> bytes:
    """A command as tagged JSON."""
    return msgspec.json.encode(command)


def decode(data: bytes) -> AnyCommand:
    """The command in `data`, every field checked again. Raises `msgspec.DecodeError`."""
    return typed.decode_by(_decoder, data)
