"""What went through each network port."""

from __future__ import annotations

from typing import NamedTuple

from host.kernel.files import KernelFiles

_NET = "/sys/class/net"


class PortCounters(NamedTuple):
    """Since the port came. `mbit` is the speed that it agreed on with the other end; None without a cable,
    and where a virtual port has none."""

    received_bytes: int
    sent_bytes: int
    errors: int
    drops: int
    mbit: int | None


def read_ports(files: KernelFiles) -> dict[str, PortCounters]:
    """By name, without the machine's own loop."""
    found = {}
    for line in files.read("/proc/net/dev").splitlines()[2:]:
        name, _, counted = line.partition(":")
        numbers = counted.split()
        name = name.strip()
        if name == "lo" or len(numbers) < 12:
            continue
        row = [int(one) for one in numbers[:12]]
        found[name] = PortCounters(
            received_bytes=row[0], sent_bytes=row[8], errors=row[2] + row[10], drops=row[3] + row[11],
            mbit=_speed(files.read(f"{_NET}/{name}/speed")),
        )  # fmt: skip
    return found


def _speed(text: str) -> int | None:
    """The kernel writes -1 where it does not know."""
    text = text.strip()
    return int(text) if text.isdecimal() and int(text) else None
