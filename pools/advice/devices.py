"""Whether a log, cache or special device would help a pool, from what was measured of it. Pure.

No rule of thumb by the size of a pool: a log device answers synchronous writes and nothing else (zfs(4),
ZIL), a cache device has what the cache in memory had to drop, a special device the metadata.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from host.inventory import Inventory, Pool, leaves
from jobs.wording import grouped

Role = Literal["log", "cache", "special"]
Verdict = Literal["helps", "does-little", "not-measured", "there"]
# A turn of a disk takes 8 ms: from one commit a second on, some program waits for about 1 % of the time.
_FEW_COMMITS = 1.0
_MANY_HITS_PERCENT = 95.0
_FEW_GHOSTS = 10.0  # a second
_HEADER_BYTES = 96  # of a block that is in the L2ARC alone: HDR_L2ONLY_SIZE in OpenZFS's arc_impl.h


class DeviceFigures(msgspec.Struct, frozen=True, kw_only=True):
    """Means of the last day; None where nothing was measured. `commits` and `ghost_hits` are a second."""

    commits: float | None = None
    hit_percent: float | None = None
    ghost_hits: float | None = None


class DeviceAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """For one role of a device: whether it would help, and why."""

    role: Role
    verdict: Verdict
    title: str
    words: str


def device_advice(pool: Pool, inventory: Inventory, of: DeviceFigures) -> tuple[DeviceAdvice, ...]:
    """One for each role."""
    return _log(pool, inventory, of), _cache(pool, of), _special(pool)


def _log(pool: Pool, inventory: Inventory, of: DeviceFigures) -> DeviceAdvice:
    if of.commits is None:
        words = "Synchronous writes are counted while the pool is used. Look again in a day."
        return _advice("log", "not-measured", "Nothing was measured yet", words)
    often = _waited(of.commits)
    if _has(pool, "log"):
        return _advice("log", "there", "There is one", often)
    if of.commits < _FEW_COMMITS:
        words = f"{often} A log device changes nothing for all other writes."
        return _advice("log", "does-little", "It would do little", words)
    if not spins(pool, inventory):
        words = (
            f"{often} The pool's own SSDs answer them; only one with much quicker writes would be noticed."
        )
        return _advice("log", "does-little", "It would do little", words)
    words = (
        f"{often} Each waits for turning disks. Some GB are enough, on an SSD with power-loss protection: "
        "without it, it is no quicker or no safer. A mirror of two keeps the last seconds when one fails."
    )
    return _advice("log", "helps", "It would help", words)


def _cache(pool: Pool, of: DeviceFigures) -> DeviceAdvice:
    if of.hit_percent is None or of.ghost_hits is None:
        words = "Hits are counted while the pools are used. Look again in a day."
        return _advice("cache", "not-measured", "Nothing was measured yet", words)
    hits = f"{of.hit_percent:.0f} % of what programs read in the last day came from memory"
    again = f"{_rate(of.ghost_hits).lower()} a block was read that had been dropped from it shortly before"
    if _has(pool, "cache"):
        return _advice("cache", "there", "There is one", f"{hits}; {again}.")
    if of.hit_percent >= _MANY_HITS_PERCENT:
        return _advice("cache", "does-little", "It would do little", f"{hits}.")
    if of.ghost_hits <= _FEW_GHOSTS:
        words = f"{hits}; {again}. What is read for the first time is in no cache."
        return _advice("cache", "does-little", "It would do little", words)
    words = (
        f"{hits}; {again}. More memory comes first: it is quicker, and each block in a cache device takes "
        f"{_HEADER_BYTES} bytes of it. For 1 TB of records of 128 KiB that is {_headers(128)}, of records of "
        f"16 KiB {_headers(16)}."
    )
    return _advice("cache", "helps", "It would help", words)


def _special(pool: Pool) -> DeviceAdvice:
    if _has(pool, "special"):
        return _advice("special", "there", "There is one", "It holds metadata and, where set, small blocks.")
    words = (
        "How large the pool's metadata is, and whether it fits into memory, is counted when you ask for it. "
        "It must be as redundant as the data: the pool is lost with it, and beside RAIDZ it stays for good."
    )
    return _advice("special", "not-measured", "Measured when you ask", words)


def _advice(role: Role, verdict: Verdict, title: str, words: str) -> DeviceAdvice:
    return DeviceAdvice(role=role, verdict=verdict, title=title, words=words)


def _headers(record_kib: int) -> str:
    """Memory for the headers of a terabyte."""
    return f"{1e12 / (record_kib << 10) * _HEADER_BYTES / 1e9:.1f} GB"


def _has(pool: Pool, role: str) -> bool:
    return any(vdev.role == role for vdev in pool.vdevs)


def spins(pool: Pool, inventory: Inventory) -> bool:
    """Whether a disk of its data is a hard disk."""
    disks = {disk.id: disk.medium for disk in inventory.disks}
    return any(
        disks.get(leaf.disk or "") == "hdd"
        for vdev in pool.vdevs if vdev.role == "data"
        for leaf in leaves(vdev)
    )  # fmt: skip


def _waited(commits: float) -> str:
    if not commits:
        return "No program waited in the last day until what it wrote was on disk."
    what = "a program waited until what it wrote was on disk, as databases, virtual machines and NFS do"
    return f"{_rate(commits)} in the last day {what}."


def _rate(per_second: float) -> str:
    if per_second >= 1:
        return f"{grouped(round(per_second))} times a second"
    per_minute = round(per_second * 60)
    return f"{per_minute} times a minute" if per_minute > 1 else "Once a minute or less"
