"""What the machine is busy with: processors, memory, ZFS's cache, pressure and network ports."""

from __future__ import annotations

from collections.abc import Iterator

from host.inventory import Inventory
from host.kernel.arc import Access, Arc
from host.kernel.counters import Counters
from jobs.series.collecting import Round
from jobs.series.values import Point


def of_machine(of: Round, inventory: Inventory) -> Iterator[Point]:
    """Series of the machine as a whole, which have no subject: `cpu.user_percent`."""
    now = of.now
    values = dict(_cpu(of)) | dict(_memory(now)) | dict(_pressure(of))
    values |= {"cpu.celsius": now.cpu_celsius, "cpu.load": now.load}
    if now.arc is not None and of.before.arc is not None:
        values |= dict(_arc(of, of.before.arc, now.arc))
    if now.nfs is not None and of.before.nfs is not None:
        values["nfs.read_bytes"] = of.rate(of.before.nfs[0], now.nfs[0])
        values["nfs.write_bytes"] = of.rate(of.before.nfs[1], now.nfs[1])
    values |= {f"{service}.connections": count for service, count in now.connections.items()}
    for name, value in values.items():
        yield from of.point(name, value)
    for label, errors in now.memory_errors.items():
        yield from of.point(f"memory.corrected_errors:{label}", errors.corrected)
        yield from of.point(f"memory.uncorrected_errors:{label}", errors.uncorrected)


def of_ports(of: Round, inventory: Inventory) -> Iterator[Point]:
    """Series `port.received_bytes:<name>` and so on, of the ports that the network page knows."""
    names = {one.name for one in inventory.network.interfaces} if inventory.network else set()
    for name, now in of.now.ports.items():
        before = of.before.ports.get(name)
        if name not in names or before is None:
            continue
        for kind, value in (
            ("received_bytes", of.rate(before.received_bytes, now.received_bytes)),
            ("sent_bytes", of.rate(before.sent_bytes, now.sent_bytes)),
            ("errors", of.rate(before.errors, now.errors)),
            ("drops", of.rate(before.drops, now.drops)),
            ("mbit", now.mbit),
        ):
            yield from of.point(f"port.{kind}:{name}", value)


def _cpu(of: Round) -> Iterator[tuple[str, float | None]]:
    before, now = of.before.cpu, of.now.cpu
    if before is None or now is None or now.total <= before.total:
        return
    for kind in ("user", "system", "iowait", "steal"):
        # The kernel's count of waiting for disks may go back.
        grown = max(getattr(now, kind) - getattr(before, kind), 0)
        yield f"cpu.{kind}_percent", 100 * grown / (now.total - before.total)


def _memory(now: Counters) -> Iterator[tuple[str, float | None]]:
    if now.memory is None:
        return
    cache = now.arc.size if now.arc else 0
    yield "memory.available_bytes", now.memory.available
    yield "memory.programs_bytes", max(now.memory.total - now.memory.available - cache, 0)
    yield "memory.swap_bytes", now.memory.swap_used


def _pressure(of: Round) -> Iterator[tuple[str, float | None]]:
    for kind, waited in of.now.pressure.items():
        rate = of.rate(of.before.pressure.get(kind, waited), waited)
        yield f"pressure.{kind}_percent", None if rate is None else min(rate / 1e4, 100.0)


def _arc(of: Round, before: Arc, now: Arc) -> Iterator[tuple[str, float | None]]:
    yield "arc.size_bytes", now.size
    yield "arc.target_bytes", now.target
    yield "arc.metadata_percent", 100 * now.metadata / now.size if now.size else None
    yield "arc.demand_hit_percent", _hits(before.demand, now.demand)
    yield "arc.prefetch_hit_percent", _hits(before.prefetch, now.prefetch)
    yield "arc.ghost_hits", of.rate(before.ghost_hits, now.ghost_hits)
    if now.l2_size:
        yield "l2arc.size_bytes", now.l2_size
        yield "l2arc.hit_percent", _hits(before.l2, now.l2)


def _hits(before: Access, now: Access) -> float | None:
    """Of the requests of this round; None where there was none."""
    asked = now.total - before.total
    return 100 * max(now.hits - before.hits, 0) / asked if asked > 0 else None
