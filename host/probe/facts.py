"""What the machine is, apart from its storage."""

from __future__ import annotations

import re

from host.base import CommandFailed, Host
from host.commands.datasets.zfs import ZfsVersion
from host.commands.facts import EccControllers, MemoryModules, ReadFact
from host.inventory import Ecc, HostFacts
from host.probe.datasets.property_table import read_property_table
from host.probe.json_output import decode
from host.probe.system.boot import read_kernels, read_next_kernel


def probe_facts(host: Host) -> HostFacts:
    """Name, versions, memory, ECC and the time of the boot. Raises `HostError`."""
    userland, module = parse_zfs_version(host.run(ZfsVersion()).stdout)
    return HostFacts(
        name=host.run(ReadFact(path="/proc/sys/kernel/hostname")).stdout.strip(),
        kind=host.kind,
        kernel=host.run(ReadFact(path="/proc/sys/kernel/osrelease")).stdout.strip(),
        zfs_userland=userland,
        zfs_module=module,
        memory_bytes=parse_meminfo(host.run(ReadFact(path="/proc/meminfo")).stdout),
        ecc=_ecc(host),
        booted=parse_boot_time(host.run(ReadFact(path="/proc/stat")).stdout),
        kernels=read_kernels(host),
        next_kernel=read_next_kernel(host),
        native=read_property_table(host),
    )


def _ecc(host: Host) -> Ecc:
    """A driver that reports errors proves it. Without one, what the firmware reports."""
    try:
        if host.run(EccControllers()).stdout.strip():
            return "yes"
        return parse_memory_modules(host.run(MemoryModules()).stdout)
    except CommandFailed:
        return "unknown"


def parse_memory_modules(text: str) -> Ecc:
    """From dmidecode's types 16 and 17. The array reports its correction, a module how many bits it
    stores beside the data: only both together are ECC, as firmware copies the array's line from boards
    that could have it (SMBIOS 3.7, 7.17 and 7.18)."""
    kinds = re.findall(r"^\s*Error Correction Type: (.+)$", text, re.MULTILINE)
    widths = re.findall(r"^\s*Total Width: (\d+) bits\n\s*Data Width: (\d+) bits$", text, re.MULTILINE)
    wider = [int(total) > int(data) for total, data in widths]
    if (kinds and set(kinds) == {"None"}) or (wider and not any(wider)):
        return "no"
    corrects = any("ECC" in kind or kind == "CRC" for kind in kinds)
    return "yes" if corrects and wider and all(wider) else "unknown"


def parse_zfs_version(text: str) -> tuple[str | None, str | None]:
    """Versions of userland and kernel module; they differ after an upgrade without a reboot."""
    version = decode(text, command="zfs version")["zfs_version"]
    return version.get("userland"), version.get("kernel")


def parse_boot_time(text: str) -> int:
    """Seconds since 1970. The clock's time less the uptime would be another second at each reading."""
    return int(next(line for line in text.splitlines() if line.startswith("btime ")).split()[1])


def parse_meminfo(text: str) -> int:
    """The memory in bytes (the kernel writes kB and means KiB)."""
    line = next(line for line in text.splitlines() if line.startswith("MemTotal:"))
    return int(line.split()[1]) * 1024
