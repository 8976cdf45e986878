"""Which function answers which command."""

from __future__ import annotations

from host import commands as c
from host.base import Result
from host.simulated import enclosures, facts, leds, units
from host.simulated.blocks import output, preparation
from host.simulated.datasets import lifecycle as datasets
from host.simulated.datasets import output as dataset_output
from host.simulated.datasets import snapshots
from host.simulated.pools import lifecycle as pools
from host.simulated.pools.get_output import zpool_get
from host.simulated.pools.status_output import zpool_status
from host.simulated.refusal import done
from host.simulated.smart import answers as smart
from host.simulated.state import Machine


class UnknownCommand(Exception):
    """The simulator has no answer to a command: it must be taught before the command is used."""


def answer(machine: Machine, command: c.Command) -> Result:
    """What the command leaves. Raises `Refusal` where it fails, and `UnknownCommand`."""
    if command.reads:
        return _read(machine, command)
    return _change(machine, command)


def _read(machine: Machine, command: c.Command) -> Result:
    match command:
        case c.Lsblk():
            return done(output.lsblk(machine))
        case c.DiskLinks():
            return done(output.disk_links(machine))
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
        case c.EccControllers():
            return done(facts.ecc_controllers(machine))
        case c.ListUnits():
            return done(units.list_units(machine))
        case c.ReadBurnIn():
            return units.read_burn_in(machine, command)
        case c.UnitSaid():
            return done(units.said(machine, command))
        case c.ZdbLabel():
            return preparation.zdb_label(machine, command)
        case c.ZpoolStatus():
            return done(zpool_status(machine))
        case c.ZpoolGet():
            return done(zpool_get(machine))
        case c.ZfsGet():
            return done(dataset_output.zfs_get(machine))
        case c.ZfsListSnapshots():
            return dataset_output.list_snapshots(machine, command)
        case c.ZfsVersion():
            return done(facts.zfs_version())
    raise UnknownCommand(type(command).__name__)


def _change(machine: Machine, command: c.Command) -> Result:
    match command:
        case c.WipeSignatures():
            return preparation.wipe_signatures(machine, command)
        case c.WritePartition():
            return preparation.write_partition(machine, command)
        case c.UdevSettle():
            return preparation.settle(machine, command)
        case c.StartBlink():
            return units.start_blink(machine, command)
        case c.StartBurnIn():
            return units.start_burn_in(machine, command)
        case c.StopUnit():
            return units.stop_unit(machine, command)
        case c.SmartTest():
            return smart.test(machine, command)
        case c.LedLight():
            return leds.light(machine, command)
        case c.SlotLight():
            return enclosures.light(machine, command)
        case c.ZpoolCreate():
            return pools.create(machine, command)
        case c.ZpoolDestroy():
            return pools.destroy(machine, command)
        case c.ZfsCreate():
            return datasets.create(machine, command)
        case c.ZfsSet():
            return datasets.set_values(machine, command)
        case c.ZfsInherit():
            return datasets.inherit(machine, command)
        case c.ZfsDestroy():
            return datasets.destroy(machine, command)
        case c.ZfsSnapshot():
            return snapshots.take(machine, command)
        case c.ZfsDestroySnapshots():
            return snapshots.destroy(machine, command)
    raise UnknownCommand(type(command).__name__)
