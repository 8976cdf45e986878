"""The closed set of commands. The helper runs nothing else."""

from __future__ import annotations

import msgspec

from host.commands.base import Command
from host.commands.enclosure import EnclosureDevices, EnclosureFiles, ListEnclosures, SlotLight
from host.commands.facts import DiskLinks, DiskSequence, EccControllers, Lsblk, ReadFact
from host.commands.labels import ZdbLabel
from host.commands.leds import LedLight, LedSlots
from host.commands.partition import UdevSettle, WipeSignatures, WritePartition
from host.commands.smart import SmartRead, SmartTest
from host.commands.units import ListUnits, ReadBurnIn, StartBlink, StartBurnIn, StopUnit, UnitSaid
from host.commands.zfs import (
    ZfsCreate,
    ZfsDestroy,
    ZfsDestroySnapshots,
    ZfsGet,
    ZfsInherit,
    ZfsListSnapshots,
    ZfsSet,
    ZfsSnapshot,
    ZfsVersion,
)
from host.commands.zpool import (
    VdevSpec,
    ZpoolCreate,
    ZpoolDestroy,
    ZpoolGet,
    ZpoolStatus,
)

AnyCommand = (
    DiskLinks
    | DiskSequence
    | EccControllers
    | EnclosureDevices
    | EnclosureFiles
    | LedLight
    | LedSlots
    | ListEnclosures
    | ListUnits
    | Lsblk
    | ReadBurnIn
    | ReadFact
    | SlotLight
    | SmartRead
    | SmartTest
    | StartBlink
    | StartBurnIn
    | StopUnit
    | UdevSettle
    | UnitSaid
    | WipeSignatures
    | WritePartition
    | ZdbLabel
    | ZfsCreate
    | ZfsDestroy
    | ZfsDestroySnapshots
    | ZfsGet
    | ZfsInherit
    | ZfsListSnapshots
    | ZfsSet
    | ZfsSnapshot
    | ZfsVersion
    | ZpoolCreate
    | ZpoolDestroy
    | ZpoolGet
    | ZpoolStatus
)

__all__ = [
    "AnyCommand", "Command", "DiskLinks", "DiskSequence", "EccControllers", "EnclosureDevices",
    "EnclosureFiles", "LedLight", "LedSlots", "ListEnclosures", "ListUnits", "Lsblk", "ReadBurnIn",
    "ReadFact", "SlotLight", "SmartRead", "SmartTest", "StartBlink", "StartBurnIn", "StopUnit",
    "UdevSettle", "UnitSaid", "VdevSpec", "WipeSignatures", "WritePartition", "ZdbLabel", "ZfsCreate",
    "ZfsDestroy", "ZfsDestroySnapshots", "ZfsGet", "ZfsInherit", "ZfsListSnapshots", "ZfsSet",
    "ZfsSnapshot", "ZfsVersion", "ZpoolCreate", "ZpoolDestroy", "ZpoolGet", "ZpoolStatus",
    "decode", "encode",
]  # fmt: skip

_decoder: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)


def encode(command: Command) -> bytes:
    """A command as tagged JSON."""
    return msgspec.json.encode(command)


def decode(data: bytes) -> AnyCommand:
    """The command in `data`, every field checked again. Raises `msgspec.ValidationError`."""
    return _decoder.decode(data)
