"""All counters at one moment."""

from __future__ import annotations

import msgspec

from host.kernel.arc import Arc, read_arc
from host.kernel.connections import read_connections
from host.kernel.disks import DiskCounters, read_disks
from host.kernel.files import KernelFiles
from host.kernel.memory_errors import MemoryErrors, read_memory_errors
from host.kernel.ports import PortCounters, read_ports
from host.kernel.system import (
    CpuTimes,
    Memory,
    read_cpu_temperature,
    read_cpu_times,
    read_load,
    read_memory,
    read_nfs_bytes,
    read_pressure,
    read_uptime,
)


class Counters(msgspec.Struct, frozen=True, kw_only=True):
    """What the kernel counted until `time` (seconds since 1970, by a clock that somebody may set).
    `uptime` (seconds) only goes forward. What this machine does not have is None or empty."""

    time: float
    uptime: float
    cpu: CpuTimes | None = None
    cpu_celsius: float | None = None
    load: float | None = None  # of the last minute
    memory: Memory | None = None
    arc: Arc | None = None
    pressure: dict[str, int] = {}  # by cpu, io, memory: microseconds in which something waited for it
    nfs: tuple[int, int] | None = None  # bytes read and written by NFS clients
    connections: dict[str, int] = {}  # of clients, by smb and nfs
    ports: dict[str, PortCounters] = {}
    disks: dict[str, DiskCounters] = {}  # and partitions, by the kernel's name
    memory_errors: dict[str, MemoryErrors] = {}  # by the label of the slot


def read_counters(files: KernelFiles, time: float) -> Counters:
    """All of it; `time` is when."""
    return Counters(
        time=time, uptime=read_uptime(files), cpu=read_cpu_times(files),
        cpu_celsius=read_cpu_temperature(files), load=read_load(files), memory=read_memory(files),
        arc=read_arc(files), pressure=read_pressure(files), nfs=read_nfs_bytes(files),
        connections=read_connections(files),
        ports=read_ports(files), disks=read_disks(files), memory_errors=read_memory_errors(files),
    )  # fmt: skip
