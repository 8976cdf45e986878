"""Which plans one click may start, without a page that is read first."""

from __future__ import annotations

from host.commands.backups import (
    StartBackup,
    StartRepositoryCheck,
    StartStoredRestore,
    StopBackupRun,
)
from host.commands.base import Command
from host.commands.copies import KeepCopy, SaveSambaAccounts
from host.commands.datasets.keys import ZfsLoadKey, ZfsTestKey
from host.commands.datasets.measuring import MeasureCompression, ScanFiles, StopMeasuring
from host.commands.datasets.snapshots import ZfsHold, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsMount
from host.commands.disks.enclosure import SlotLight
from host.commands.disks.leds import LedLight
from host.commands.disks.md import MdCheck
from host.commands.disks.smart import SmartTest
from host.commands.files import RestoreFile
from host.commands.network import ConfirmNetwork, StopRollbackTimer, SyncNetwork
from host.commands.network_speed import MeasureNetworkSpeed
from host.commands.pools.blocks import CountBlocks
from host.commands.pools.care import ZpoolScrub, ZpoolTrim
from host.commands.pools.dedup import EstimateDedup
from host.commands.replication.runs import StartProof, StartReplication, StopProof, StopReplication
from host.commands.units import StartBlink, StopUnit
from jobs.plan import Plan

# Commands that lose nothing and interrupt nobody. What is not here is never started without its page,
# whatever the row of its operation says: a new command is read first until somebody has thought about it.
HARMLESS: frozenset[type[Command]] = frozenset({
    ZfsSnapshot, ZfsHold, ZfsCreate, ZfsMount, ZfsLoadKey, ZfsTestKey, RestoreFile, ZpoolScrub, ZpoolTrim,
    MdCheck, SmartTest, LedLight, SlotLight, StartBlink, StopUnit, KeepCopy, SaveSambaAccounts,
    ConfirmNetwork, StopRollbackTimer, SyncNetwork, StartReplication, StartProof,
    StopReplication, StopProof,
    StartBackup, StartRepositoryCheck, StartStoredRestore, StopBackupRun,
    CountBlocks, EstimateDedup, MeasureCompression, ScanFiles, StopMeasuring, MeasureNetworkSpeed,
})  # fmt: skip


def is_harmless(plan: Plan) -> bool:
    """Whether `plan` loses nothing, interrupts nobody, and warns of nothing."""
    warns = any(finding.level == "warning" for finding in plan.findings)
    commands = (command for step in plan.steps for command in step.commands)
    return not plan.destroys and not warns and all(type(command) in HARMLESS for command in commands)
