"""Notices cheaply that a disk came or went, and that a pool came, went or changed its state."""

from __future__ import annotations

from hashlib import sha256

from host.base import Host
from host.commands.facts import DiskSequence, PoolStates
from host.probe.disks.disks import is_disk


def mark(host: Host) -> str:
    """A fingerprint of the disks that are there now and of the pools' states: two quick commands, which wake
    nothing. Raises `HostError`.

    It rests on the number that the kernel gives a disk when it comes: a disk put back where another was a
    second ago has a new one, whatever its name.
    """
    disks = sorted(line for line in host.run(DiskSequence()).stdout.splitlines() if _is_whole_disk(line))
    pools = sorted(host.run(PoolStates()).stdout.splitlines())
    return sha256("\n".join((*disks, *pools)).encode()).hexdigest()[:16]


def _is_whole_disk(line: str) -> bool:
    number, _, target = line.partition("\t")
    return number.isdigit() and is_disk(target.rpartition("/")[2])
