"""The machine: processors, memory, ZFS's cache, network ports. Counters are the kernel's own, as the worker
read them in its last round."""

from __future__ import annotations

import os
from collections.abc import Iterator

from host.inventory import Inventory
from host.kernel.arc import Arc
from host.kernel.counters import Counters
from nasweb.metrics.values import Family, counter, gauge

_TICKS = os.sysconf("SC_CLK_TCK")  # in which the kernel counts the time of processors


def of_machine(now: Counters) -> Iterator[Family]:
    """Families without a subject."""
    if (cpu := now.cpu) is not None:
        modes = {kind: int(getattr(cpu, kind)) for kind in ("user", "system", "iowait", "steal")}
        modes["idle"] = cpu.total - sum(modes.values())
        yield counter(
            "cpu_seconds", "Time of all processors together.",
            (({"mode": mode}, ticks / _TICKS) for mode, ticks in modes.items()),
        )  # fmt: skip
    yield gauge("cpu_temperature_celsius", "Warmest part of the processor.", [({}, now.cpu_celsius)])
    yield gauge("load1", "Tasks that ran or waited for a disk in the last minute.", [({}, now.load)])
    if (memory := now.memory) is not None:
        yield gauge("memory_size_bytes", "Memory that the kernel manages.", [({}, memory.total)])
        yield gauge(
            "memory_available_bytes", "Memory for programs without swapping.", [({}, memory.available)]
        )
        yield gauge("memory_swap_used_bytes", "Swap in use.", [({}, memory.swap_used)])
    yield counter(
        "pressure_waiting_seconds", "Time in which at least one task waited for the resource.",
        (({"resource": name}, waited / 1e6) for name, waited in now.pressure.items()),
    )  # fmt: skip
    if now.arc is not None:
        yield from _arc(now.arc)
    if now.nfs is not None:
        yield counter("nfs_read_bytes", "Bytes that NFS clients read.", [({}, now.nfs[0])])
        yield counter("nfs_written_bytes", "Bytes that NFS clients wrote.", [({}, now.nfs[1])])
    yield gauge(
        "share_connections", "Connections of clients to shares.",
        (({"protocol": name}, count) for name, count in now.connections.items()),
    )  # fmt: skip
    yield counter(
        "memory_errors", "Errors of memory that ECC corrected or detected, by slot.",
        (
            ({"slot": slot, "kind": kind}, count)
            for slot, errors in now.memory_errors.items()
            for kind, count in errors._asdict().items()
        ),
    )  # fmt: skip


def of_ports(now: Counters, inventory: Inventory) -> Iterator[Family]:
    """Of the ports that the network page knows: containers come and go with theirs."""
    known = {one.name for one in inventory.network.interfaces}
    ports = {name: port for name, port in now.ports.items() if name in known}
    for name, words, field in (
        ("port_received_bytes", "Bytes received.", "received_bytes"),
        ("port_sent_bytes", "Bytes sent.", "sent_bytes"),
        ("port_errors", "Packets with errors, in both directions.", "errors"),
        ("port_drops", "Packets dropped, in both directions.", "drops"),
    ):
        yield counter(name, words, (({"port": port}, getattr(one, field)) for port, one in ports.items()))
    yield gauge(
        "port_speed_bytes", "Speed of the link in bytes a second; none without a cable.",
        (({"port": port}, one.mbit and one.mbit * 125_000) for port, one in ports.items()),
    )  # fmt: skip


def _arc(arc: Arc) -> Iterator[Family]:
    yield gauge("arc_size_bytes", "Size of ZFS's cache in memory.", [({}, arc.size)])
    yield gauge("arc_target_size_bytes", "Size that the cache aims at.", [({}, arc.target)])
    yield gauge("arc_max_size_bytes", "Size that the cache may have.", [({}, arc.most)])
    yield gauge("arc_metadata_bytes", "Metadata in the cache.", [({}, arc.metadata)])
    asked = {"demand": arc.demand, "prefetch": arc.prefetch, "l2": arc.l2}
    yield counter(
        "arc_requests", "Requests to the cache (l2: on cache devices), by whether the block was there.",
        (
            ({"kind": kind, "result": result}, count)
            for kind, one in asked.items()
            for result, count in (("hit", one.hits), ("miss", one.total - one.hits))
        ),
    )  # fmt: skip
    yield gauge("l2arc_size_bytes", "Data on cache devices.", [({}, arc.l2_size)])
