"""What a simulated machine answers to each command."""

from __future__ import annotations

from host.base import Result
from host.commands.base import Command
from host.simulated import clients, copies, enclosures, facts, leds, people, samba_people, units
from host.simulated.arrays import events as array_events
from host.simulated.arrays import file_systems, mdadm
from host.simulated.arrays import output as array_output
from host.simulated.backups import asking as backup_asking
from host.simulated.backups import running as backup_running
from host.simulated.blocks import exclusive, preparation
from host.simulated.blocks import output as block_output
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
    table,
)
from host.simulated.datasets import lifecycle as datasets
from host.simulated.datasets import output as dataset_output
from host.simulated.files import block_sharing, reading, restoring, rights, uploads
from host.simulated.handlers import Handlers
from host.simulated.measuring import runs as measuring
from host.simulated.network import changes as network_changes
from host.simulated.network import logs as network_logs
from host.simulated.network import reading as network
from host.simulated.pools import (
    attaching,
    care,
    exporting,
    get_output,
    iostat_output,
    lifecycle,
    members,
    status_output,
)
from host.simulated.pools import events as zfs_events
from host.simulated.replication import neighbours, peers
from host.simulated.replication import runs as replications
from host.simulated.sharing import answers as sharing
from host.simulated.smart import answers as smart
from host.simulated.state import Machine
from host.simulated.system import arc, boot, boot_pair, converting, moved_state, power, swap

_TABLES: tuple[Handlers, ...] = (
    admission.HANDLERS, arc.HANDLERS, array_events.HANDLERS, array_output.HANDLERS, attaching.HANDLERS,
    exporting.HANDLERS, backup_asking.HANDLERS, backup_running.HANDLERS,
    block_output.HANDLERS, block_sharing.HANDLERS,
    boot.HANDLERS, boot_pair.HANDLERS, care.HANDLERS, clients.HANDLERS,
    cloning.HANDLERS, measuring.HANDLERS,
    converting.HANDLERS, copies.HANDLERS, dataset_output.HANDLERS, datasets.HANDLERS,
    enclosures.HANDLERS, facts.HANDLERS, file_systems.HANDLERS, get_output.HANDLERS, holds.HANDLERS,
    iostat_output.HANDLERS, keys.HANDLERS, leds.HANDLERS, lifecycle.HANDLERS, limits.HANDLERS, marks.HANDLERS,
    mdadm.HANDLERS, members.HANDLERS, mounting.HANDLERS, moved_state.HANDLERS, moving.HANDLERS,
    network.HANDLERS, network_changes.HANDLERS, network_logs.HANDLERS, people.HANDLERS, power.HANDLERS,
    preparation.HANDLERS, neighbours.HANDLERS, peers.HANDLERS, replications.HANDLERS,
    reading.HANDLERS, restoring.HANDLERS, rights.HANDLERS, samba_people.HANDLERS, sharing.HANDLERS,
    smart.HANDLERS, snapshot_output.HANDLERS, snapshots.HANDLERS, status_output.HANDLERS, swap.HANDLERS,
    table.HANDLERS, units.HANDLERS, uploads.HANDLERS, zfs_events.HANDLERS,
)  # fmt: skip
HANDLERS: Handlers = {kind: handler for table in _TABLES for kind, handler in table.items()}


def answer(machine: Machine, command: Command, given: bytes = b"") -> Result:
    """What the command leaves; `given` is the secret on its standard input.

    Raises `Refusal` where it fails.
    """
    exclusive.check(machine, command)
    people.check(machine, command)
    return HANDLERS[type(command)](machine, command, given)
