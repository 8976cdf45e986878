"""The closed set of commands. The helper runs nothing else."""

from __future__ import annotations

import msgspec

from host import typed
from host.commands import backups, copies, facts, files, logs, naming, network, network_speed, units, uploads
from host.commands.base import Command
from host.commands.datasets import datasets, keys, marks, measuring, mounting, snapshots, space, zfs
from host.commands.disks import enclosure, labels, leds, md, partition, smart
from host.commands.peering import connections, peers
from host.commands.pools import benchmark, blocks, care, dedup, events, importing, members, mount, zpool
from host.commands.replication import runs
from host.commands.shares import accounts, rights, sessions, sharing
from host.commands.system import arc, boot, boot_pair, converting, moved_state, power, swap

# A command is named in the union of its own module; what is in none of them is for programs alone.
AnyCommand = (
    backups.Commands
    | copies.Commands
    | facts.Commands
    | files.Commands
    | logs.Commands
    | naming.Commands
    | network.Commands
    | network_speed.Commands
    | units.Commands
    | uploads.Commands
    | measuring.Commands
    | datasets.Commands
    | keys.Commands
    | marks.Commands
    | mounting.Commands
    | snapshots.Commands
    | space.Commands
    | zfs.Commands
    | enclosure.Commands
    | labels.Commands
    | leds.Commands
    | md.Commands
    | partition.Commands
    | smart.Commands
    | care.Commands
    | benchmark.Commands
    | dedup.Commands
    | blocks.Commands
    | events.Commands
    | importing.Commands
    | members.Commands
    | mount.Commands
    | zpool.Commands
    | connections.Commands
    | peers.Commands
    | runs.Commands
    | accounts.Commands
    | rights.Commands
    | sessions.Commands
    | sharing.Commands
    | boot.Commands
    | boot_pair.Commands
    | converting.Commands
    | moved_state.Commands
    | power.Commands
    | swap.Commands
    | arc.Commands
)

_decoder: msgspec.json.Decoder[AnyCommand] = msgspec.json.Decoder(AnyCommand)


def encode(command: Command) -> bytes:
    """A command as tagged JSON."""
    return msgspec.json.encode(command)


def decode(data: bytes) -> AnyCommand:
    """The command in `data`, every field checked again. Raises `msgspec.DecodeError`."""
    return typed.decode_by(_decoder, data)
