"""What follows from the figures. Each rule says something once, of what it is sure of."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, median
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from alerts.slow.figures import DiskLoad, Figures
from alerts.slow.ports import SlowPort, slow_ports
from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from pools.links import pool_href
from pools.sentences import shares_of

# A failing drive answers after tens of milliseconds to seconds where its siblings, which get the same
# requests, answer after a few. Siblings of one model differ by less than half.
_TIMES_SLOWER, _EACH_MINUTE = 4.0, 3.0
_LEAST_MS = {"hdd": 40.0, "ssd": 8.0}
_QUIET_MINUTES = 1  # of those that were measured, in which it may be as quick as the others
_NEARLY_FULL_PERCENT = 90
_FEW_HITS_PERCENT, _MANY_GHOSTS = 80.0, 10.0
_BUSY_PERCENT, _SMALL_BYTES = 70.0, 16 << 10
_MUCH_BYTES = 5e6  # a second: less keeps no pool busy


class SlowReason(msgspec.Struct, frozen=True, kw_only=True):
    """A reason why something may be slow: in a sentence, why that matters or what to do, and a page."""

    code: str
    title: str
    words: str
    href: str
    label: str
    certain: bool = True  # False: it is no fault, such as a scrub


class Slower(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that is far slower than the others of its vdev."""

    pool: Pool
    vdev: Vdev  # the top-level one
    leaf: Vdev
    disk: Disk
    ms: float
    others_ms: float


def reasons(inventory: Inventory, figures: Figures) -> tuple[SlowReason, ...]:
    """All of them, what is certain first."""
    found = [
        *(_of_disk(one) for one in slower_disks(inventory, figures)),
        *_links(figures),
        *(_of_port(one) for one in slow_ports(inventory, figures.disk_links)),
        *_full(inventory),
        *_cache(figures),
        *_small(inventory, figures),
        *_datasets(inventory, figures),
        *_scans(inventory),
    ]
    return tuple(sorted(found, key=lambda one: not one.certain))


class _Compared(NamedTuple):
    """A leaf, and what came of it: `known` where its requests could be compared with those of others."""

    leaf: Vdev
    known: bool
    slower: Slower | None = None


def slower_disks(inventory: Inventory, figures: Figures) -> Iterator[Slower]:
    """Disks that were far slower than their siblings in nearly every one of the last minutes."""
    return (one.slower for one in _compared(inventory, figures) if one.slower is not None)


def unmeasured(inventory: Inventory, figures: Figures) -> frozenset[str]:
    """The guids of the leaves of which that cannot be said: they had too few requests, or a resilver's."""
    return frozenset(one.leaf.guid for one in _compared(inventory, figures) if not one.known)


def _compared(inventory: Inventory, figures: Figures) -> Iterator[_Compared]:
    for pool in inventory.pools:
        for top in pool.vdevs:
            here = [(leaf, disk) for leaf in leaves(top) if (disk := inventory.disk(leaf.disk or ""))]
            loads = {disk.id: figures.disks.get(disk.id, DiskLoad()) for _, disk in here}
            for leaf, disk in here:
                # A hard disk beside an SSD is slower, and nothing is wrong with it.
                others = [loads[one.id] for _, one in here if one.id != disk.id and one.medium == disk.medium]
                ms, others_ms = _usual(loads[disk.id]), [_usual(load) for load in others]
                known = [value for value in others_ms if value is not None]
                if ms is None or not known or _resilvers(pool, top):
                    yield _Compared(leaf, known=False)
                    continue
                usual, floor = median(known), _LEAST_MS.get(disk.medium, _LEAST_MS["hdd"])
                slower = None
                if ms >= max(_TIMES_SLOWER * usual, floor) and _steadily(loads[disk.id], others):
                    slower = Slower(pool=pool, vdev=top, leaf=leaf, disk=disk, ms=ms, others_ms=usual)
                yield _Compared(leaf, known=True, slower=slower)


def _resilvers(pool: Pool, top: Vdev) -> bool:
    """Whether a disk of it gets requests of another kind: a new one is written to, the others are read."""
    scan = pool.scan
    if scan is not None and scan.function == "RESILVER" and scan.state == "SCANNING":
        return True
    return any(child.kind in {"replacing", "spare"} for child in top.children)


def _usual(load: DiskLoad) -> float | None:
    known = [ms for ms in load.ms if ms is not None]
    return fmean(known) if known and len(known) >= len(load.ms) - _QUIET_MINUTES else None


def _steadily(load: DiskLoad, others: list[DiskLoad]) -> bool:
    """A single long pause, as of a disk that recalibrates, is no sign."""
    slow = 0
    for minute, ms in enumerate(load.ms):
        known = [other.ms[minute] for other in others if len(other.ms) > minute]
        values = [value for value in known if value is not None]
        slow += ms is not None and bool(values) and ms >= _EACH_MINUTE * median(values)
    return slow >= len(load.ms) - _QUIET_MINUTES


def _of_disk(one: Slower) -> SlowReason:
    place = f"Bay {one.disk.bay}" if one.disk.bay else one.disk.model
    return SlowReason(
        code="slow-disk",
        title=f"{place} is far slower than the other disks of {one.vdev.name} in {one.pool.name}",
        words=f"Its requests take {one.ms:.0f} ms, those of the others {one.others_ms:.1f} ms. The whole "
        "vdev waits for its slowest disk. Check its SMART values and its cable; if it stays so, replace it.",
        href=f"/disks/{one.disk.id}/", label="Open the disk",
    )  # fmt: skip


def _of_port(one: SlowPort) -> SlowReason:
    first, link = one.disks[0], one.link
    place = f"Bay {first.bay}" if first.bay else first.model
    many = len(one.disks) > 1
    who = f"{len(one.disks)} disks of {one.vdev.name}" if many else place
    why = f"{'They' if many else 'It'} could have {_gbit(link.most_mbit)}. " if link.most_mbit else ""
    if one.others_mbit is not None:
        why += f"Other disks of {one.vdev.name} have {_gbit(one.others_mbit)}. "
    if link.words:
        why += f"PCI Express: {link.words}. "
    return SlowReason(
        code="slow-port",
        title=f"{who} in {one.pool.name}: connected at {_gbit(link.mbit)}",
        words=f"{why}A damaged cable or connector makes a link fall back; else the port of the board, the "
        "controller or the backplane is a slower one. Reseat the disk, then try another cable or bay.",
        href=f"/disks/{first.id}/", label="Open the disk",
    )  # fmt: skip


def _gbit(mbit: int) -> str:
    return f"{mbit / 1000:.3g} Gbit/s"


def _links(figures: Figures) -> Iterator[SlowReason]:
    for port, (now, best) in figures.links.items():
        if now < best:
            yield SlowReason(
                code="slow-link",
                title=f"{port} runs at {now:.0f} Mbit/s",
                words=f"It had {best:.0f} Mbit/s within the last month. A damaged cable or plug is the usual "
                "cause; the port of the switch comes next.",
                href=f"/charts/?of=port:{port}&range=month", label="See its link speed",
            )  # fmt: skip


def _full(inventory: Inventory) -> Iterator[SlowReason]:
    for pool in inventory.pools:
        percent = 100 * pool.allocated_bytes / pool.size_bytes if pool.size_bytes else 0
        if percent >= _NEARLY_FULL_PERCENT:
            yield SlowReason(
                code="full-pool",
                title=f"{pool.name} is {percent:.0f} % full",
                words="ZFS searches long for free space and writes in small pieces. Delete data, or add "
                "disks.",
                href=pool_href(pool.name), label="Open the pool",
            )  # fmt: skip


def _cache(figures: Figures) -> Iterator[SlowReason]:
    hits, ghosts = figures.demand_hit_percent, figures.ghost_hits
    if hits is not None and ghosts is not None and hits < _FEW_HITS_PERCENT and ghosts > _MANY_GHOSTS:
        yield SlowReason(
            code="small-cache",
            title=f"Only {hits:.0f} % of requests were answered from memory in the last hour",
            words=f"{ghosts:.0f} times a second ZFS read a block that it had dropped from its cache shortly "
            "before: more memory for the ARC would help.",
            href="/charts/?of=machine&range=day", label="See the ARC",
        )  # fmt: skip


def _small(inventory: Inventory, figures: Figures) -> Iterator[SlowReason]:
    for pool in inventory.pools:
        names = [leaf.disk for top in pool.vdevs if top.role == "data" for leaf in leaves(top) if leaf.disk]
        loads = [figures.disks[name] for name in names if name in figures.disks]
        requests, bytes_ = sum(load.requests for load in loads), sum(load.bytes for load in loads)
        busy = fmean(load.busy_percent for load in loads) if loads else 0.0
        if not requests or busy < _BUSY_PERCENT:
            continue
        each = bytes_ / requests
        if each < _SMALL_BYTES:
            yield SlowReason(
                code="small-requests",
                title=f"{pool.name} is busy with many small requests",
                words=f"Its disks are busy {busy:.0f} % of the time with requests of {each / 1024:.0f} KiB. "
                "Many small files, databases and virtual machines do that; mirrors or SSDs "
                "serve them better than raidz of hard disks.",
                href=f"/charts/?of=pool:{pool.name}&range=hour", label="See its requests", certain=False,
            )  # fmt: skip


def _datasets(inventory: Inventory, figures: Figures) -> Iterator[SlowReason]:
    for pool in inventory.pools:
        here = {
            name: sum(rates)
            for name, rates in figures.datasets.items()
            if name.partition("/")[0] == pool.name
        }
        whole = sum(here.values())
        if whole < _MUCH_BYTES:
            continue
        name = max(here, key=lambda one: here[one])
        read, written = figures.datasets[name]
        dataset = inventory.dataset(name)
        if here[name] < whole / 2 or dataset is None:
            continue
        shared = shares_of([dataset], inventory)
        yield SlowReason(
            code="busy-dataset",
            title=f"{name} takes {100 * here[name] / whole:.0f} % of what {pool.name} is asked for",
            words=f"{written / 1e6:.0f} MB/s written and {read / 1e6:.0f} MB/s read in the last minute, what "
            f"came from memory included.{f' Clients use it through {shared}.' if shared else ''}",
            href=f"/charts/?of=dataset:{quote(name)}&range=hour", label="See its throughput", certain=False,
        )  # fmt: skip


def _scans(inventory: Inventory) -> Iterator[SlowReason]:
    names = {"SCRUB": "A scrub", "RESILVER": "A resilver"}
    for pool in inventory.pools:
        scan = pool.scan
        if scan and scan.state == "SCANNING" and not scan.paused:
            name = names.get(scan.function, "A scan")
            done = f" ({scan.percent:.0f} % done)" if scan.percent is not None else ""
            yield SlowReason(
                code="scan",
                title=f"{name} of {pool.name} is running{done}",
                words="It reads every disk of the pool. ZFS serves others first, but they take longer.",
                href=pool_href(pool.name), label="Open the pool", certain=False,
            )  # fmt: skip
