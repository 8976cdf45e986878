"""What the machine is, apart from its storage."""

from __future__ import annotations

from datetime import datetime

from host.base import CommandFailed, Host
from host.commands import EccControllers, ReadFact, ZfsVersion
from host.inventory import HostFacts
from host.probe.json_output import decode


def probe_facts(host: Host, now: datetime) -> HostFacts:
    """Name, versions, memory, ECC and the time of the boot. Raises `HostError`."""
    userland, module = parse_zfs_version(host.run(ZfsVersion()).stdout)
    uptime_s = float(host.run(ReadFact(path="/proc/uptime")).stdout.split()[0])
    return HostFacts(
        name=host.run(ReadFact(path="/proc/sys/kernel/hostname")).stdout.strip(),
        kind=host.kind,
        kernel=host.run(ReadFact(path="/proc/sys/kernel/osrelease")).stdout.strip(),
        zfs_userland=userland,
        zfs_module=module,
        memory_bytes=parse_meminfo(host.run(ReadFact(path="/proc/meminfo")).stdout),
        ecc="yes" if _has_ecc(host) else "unknown",
        booted=round(now.timestamp() - uptime_s),
    )


def _has_ecc(host: Host) -> bool:
    try:
        return bool(host.run(EccControllers()).stdout.strip())
    except CommandFailed:
        return False


def parse_zfs_version(text: str) -> tuple[str | None, str | None]:
    """Versions of userland and kernel module; they differ after an upgrade without a reboot."""
    version = decode(text, command="zfs version")["zfs_version"]
    return version.get("userland"), version.get("kernel")


def parse_meminfo(text: str) -> int:
    """The memory in bytes (the kernel writes kB and means KiB)."""
    line = next(line for line in text.splitlines() if line.startswith("MemTotal:"))
    return int(line.split()[1]) * 1024
