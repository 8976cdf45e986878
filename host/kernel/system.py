"""Processors, memory, load, pressure and temperature."""

from __future__ import annotations

from typing import NamedTuple

from host.kernel.files import KernelFiles

# Drivers that measure the processor. Others stand beside them, such as drivetemp, which asks a disk.
_CPU_SENSORS = {"coretemp", "k10temp", "zenpower", "cpu_thermal", "via_cputemp"}
_HWMON = "/sys/class/hwmon"
_PRESSURES = ("cpu", "io", "memory")


class CpuTimes(NamedTuple):
    """Of all processors together, in ticks; `total` holds them all and the idle ones."""

    user: int
    system: int
    iowait: int
    steal: int
    total: int


class Memory(NamedTuple):
    """In bytes. `available` is what programs can have without swapping; the kernel does not count ZFS's
    cache among it, although that gives way."""

    total: int
    available: int
    swap_used: int


def read_uptime(files: KernelFiles) -> float:
    """Seconds since the start; 0.0 where it is not known."""
    words = files.read("/proc/uptime").split()
    return float(words[0]) if words else 0.0


def read_cpu_times(files: KernelFiles) -> CpuTimes | None:
    """From the first line of /proc/stat; see Documentation/filesystems/proc.rst. Guests are part of user."""
    words = files.read("/proc/stat").partition("\n")[0].split()
    if len(words) < 9 or words[0] != "cpu":
        return None
    user, nice, system, idle, iowait, irq, softirq, steal = map(int, words[1:9])
    total = user + nice + system + idle + iowait + irq + softirq + steal
    return CpuTimes(user + nice, system + irq + softirq, iowait, steal, total)


def read_load(files: KernelFiles) -> float | None:
    """Tasks that ran or waited for a disk, on average over the last minute."""
    words = files.read("/proc/loadavg").split()
    return float(words[0]) if words else None


def read_memory(files: KernelFiles) -> Memory | None:
    """From /proc/meminfo, whose kB are KiB."""
    rows = (line.split() for line in files.read("/proc/meminfo").splitlines())
    kib = {row[0].rstrip(":"): int(row[1]) for row in rows if len(row) > 1}
    if "MemTotal" not in kib or "MemAvailable" not in kib:
        return None
    swap = kib.get("SwapTotal", 0) - kib.get("SwapFree", 0)
    return Memory(kib["MemTotal"] * 1024, kib["MemAvailable"] * 1024, swap * 1024)


def read_pressure(files: KernelFiles) -> dict[str, int]:
    """By cpu, io and memory: microseconds in which at least one task waited for it; see
    Documentation/accounting/psi.rst. Empty on a kernel without it."""
    found = {}
    for name in _PRESSURES:
        some = files.read(f"/proc/pressure/{name}").partition("\n")[0]
        _, _, total = some.partition("total=")
        if some.startswith("some") and total.isdecimal():
            found[name] = int(total)
    return found


def read_cpu_temperature(files: KernelFiles) -> float | None:
    """Degrees Celsius of the warmest part of the processor; None where no driver measures it."""
    found = []
    for sensor in files.names(_HWMON):
        if files.read(f"{_HWMON}/{sensor}/name").strip() in _CPU_SENSORS:
            inputs = (name for name in files.names(f"{_HWMON}/{sensor}") if _is_temperature(name))
            texts = (files.read(f"{_HWMON}/{sensor}/{name}").strip() for name in inputs)
            found += [int(text) / 1000 for text in texts if text.lstrip("-").isdecimal()]
    return max(found, default=None)


def read_nfs_bytes(files: KernelFiles) -> tuple[int, int] | None:
    """Bytes that NFS clients read and wrote; None where no server runs."""
    for line in files.read("/proc/net/rpc/nfsd").splitlines():
        words = line.split()
        if words[:1] == ["io"] and len(words) >= 3:
            return int(words[1]), int(words[2])
    return None


def _is_temperature(name: str) -> bool:
    return name.startswith("temp") and name.endswith("_input")
