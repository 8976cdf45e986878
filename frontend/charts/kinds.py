"""Every chart there is: its title, its unit, and the series that are its lines.

To add one: a row here, and the collector that records its series (`nasweb/collectors.py`).
"""

from __future__ import annotations

from typing import Literal

import msgspec

Of = Literal["machine", "memory", "port", "pool", "dataset", "disk"]
# What the axis and the values are written as; "bytes" and "rate" in KiB, MiB and so on.
Unit = Literal["percent", "bytes", "rate", "ms", "celsius", "each", "number"]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A line of a chart; `series` is the name of its series without the subject."""

    label: str
    series: str


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    """A chart of one subject. `key` is its name in addresses; `most` the top of its axis where it has one."""

    key: str
    of: Of
    title: str
    unit: Unit
    lines: tuple[Line, ...]
    hint: str = ""
    most: int | None = None


def _kind(
    of: Of, key: str, title: str, unit: Unit, *lines: tuple[str, str], hint: str = "", most: int | None = None
) -> Kind:
    named = tuple(Line(label=label, series=series) for label, series in lines)
    return Kind(key=key, of=of, title=title, unit=unit, lines=named, hint=hint, most=most)


_ALL: tuple[Kind, ...] = (
    _kind(
        "machine", "cpu", "Processor", "percent", ("Programs", "cpu.user_percent"),
        ("System", "cpu.system_percent"), ("Waiting for disks", "cpu.iowait_percent"),
        ("Taken by the host", "cpu.steal_percent"), most=100,
    ),
    _kind(
        "machine", "memory", "Memory", "bytes", ("Programs", "memory.programs_bytes"),
        ("ZFS cache (ARC)", "arc.size_bytes"), ("Available", "memory.available_bytes"),
        ("Swap", "memory.swap_bytes"),
        hint="The ARC gives memory back when programs need it.",
    ),
    _kind(
        "machine", "cache", "ARC hits", "percent", ("Demand", "arc.demand_hit_percent"),
        ("Prefetch", "arc.prefetch_hit_percent"), ("L2ARC", "l2arc.hit_percent"), most=100,
        hint="Share of requests that needed no disk. Demand is what programs asked for; prefetch is what ZFS "
        "reads ahead by itself.",
    ),
    _kind(
        "machine", "cache-size", "ARC size", "bytes", ("Size", "arc.size_bytes"),
        ("Target", "arc.target_bytes"), ("L2ARC", "l2arc.size_bytes"),
    ),
    _kind(
        "machine", "cache-metadata", "Metadata in the ARC", "percent",
        ("Share of the ARC", "arc.metadata_percent"), most=100,
    ),
    _kind(
        "machine", "pressure", "Pressure", "percent", ("Processor", "pressure.cpu_percent"),
        ("Disks", "pressure.io_percent"), ("Memory", "pressure.memory_percent"), most=100,
        hint="Share of the time in which at least one task had to wait for it.",
    ),
    _kind("machine", "load", "Load", "number", ("Load of the last minute", "cpu.load")),
    _kind("machine", "cpu-temperature", "Processor temperature", "celsius", ("Temperature", "cpu.celsius")),
    _kind(
        "machine", "clients", "Connections of clients", "number", ("SMB", "smb.connections"),
        ("NFS", "nfs.connections"),
    ),
    _kind("machine", "nfs", "NFS", "rate", ("Read", "nfs.read_bytes"), ("Written", "nfs.write_bytes")),
    _kind(
        "memory", "memory-errors", "Errors since the start", "number",
        ("Corrected", "memory.corrected_errors"), ("Not corrected", "memory.uncorrected_errors"),
        hint="As the memory controller counts them (EDAC). A corrected error now and then is normal.",
    ),
    _kind(
        "port", "port-bytes", "Traffic", "rate", ("Received", "port.received_bytes"),
        ("Sent", "port.sent_bytes"),
    ),
    _kind(
        "port", "port-errors", "Errors and drops", "each", ("Errors", "port.errors"), ("Drops", "port.drops")
    ),
    _kind("port", "port-speed", "Link speed in Mbit/s", "number", ("Speed", "port.mbit")),
    _kind(
        "pool", "pool-bytes", "Throughput", "rate", ("Read", "pool.read_bytes"),
        ("Written", "pool.write_bytes"),
        hint="As the disks have it, parity and copies included.",
    ),
    _kind("pool", "pool-requests", "Requests", "each", ("Reads", "pool.reads"), ("Writes", "pool.writes")),
    _kind("pool", "pool-latency", "Latency", "ms", ("Read", "pool.read_ms"), ("Write", "pool.write_ms")),
    _kind(
        "pool", "pool-commits", "Synchronous writes", "each", ("Commits", "pool.commits"),
        hint="Each is a program that waits until what it wrote is on disk. A log device serves these alone.",
    ),
    _kind("pool", "pool-used", "Space used", "bytes", ("Used", "pool.used_bytes")),
    _kind(
        "pool", "pool-fragmentation", "Fragmentation of free space", "percent",
        ("Fragmentation", "pool.fragmentation_percent"), most=100,
        hint="How small the pieces of its free space are; it says nothing of files.",
    ),
    _kind(
        "pool", "pool-dedup", "Deduplication table", "bytes", ("On disk", "pool.dedup_table_bytes"),
        hint="Only of pools with deduplicated data.",
    ),
    _kind(
        "dataset", "dataset-bytes", "Throughput", "rate", ("Read", "dataset.read_bytes"),
        ("Written", "dataset.write_bytes"),
        hint="What programs and clients read and wrote, minute by minute, from memory or from disks.",
    ),
    _kind(
        "dataset", "dataset-used", "Space used", "bytes", ("Used", "dataset.used_bytes"),
        hint="Measured once a day, with everything below it and its snapshots.",
    ),
    _kind(
        "disk", "disk-bytes", "Throughput", "rate", ("Read", "disk.read_bytes"),
        ("Written", "disk.write_bytes"),
    ),
    _kind(
        "disk", "disk-latency", "Latency", "ms", ("Read", "disk.read_ms"), ("Write", "disk.write_ms"),
        hint="Mean time of a request, waiting included.",
    ),
    _kind("disk", "disk-busy", "Utilisation", "percent", ("Busy", "disk.busy_percent"), most=100),
    _kind("disk", "disk-requests", "Requests", "each", ("Reads", "disk.reads"), ("Writes", "disk.writes")),
    _kind("disk", "disk-temperature", "Temperature", "celsius", ("Temperature", "disk.temperature")),
)  # fmt: skip

KINDS: dict[str, Kind] = {kind.key: kind for kind in _ALL}


def of(subject: Of) -> tuple[Kind, ...]:
    """The charts of such a subject, in the order of the page."""
    return tuple(kind for kind in _ALL if kind.of == subject)
