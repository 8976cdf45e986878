"""Reads how much was read from and written to each block device since the machine started."""

from __future__ import annotations

from typing import NamedTuple

from host.base import Host
from host.commands.facts import ReadFact

_SECTOR = 512  # the kernel's own unit, whatever the disk's sectors are


class Traffic(NamedTuple):
    """Bytes since the device came."""

    read_bytes: int
    written_bytes: int


def read_traffic(host: Host) -> dict[str, Traffic]:
    """By the kernel's name. Counters in memory: no disk is asked. Raises `HostError`."""
    return parse_diskstats(host.run(ReadFact(path="/proc/diskstats")).stdout)


def parse_diskstats(text: str) -> dict[str, Traffic]:
    """From /proc/diskstats; see Documentation/admin-guide/iostats.rst of the kernel."""
    rows = [line.split() for line in text.splitlines()]
    return {row[2]: Traffic(int(row[5]) * _SECTOR, int(row[9]) * _SECTOR) for row in rows if row}
