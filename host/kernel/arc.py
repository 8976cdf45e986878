"""ZFS's cache in memory (ARC) and on cache devices (L2ARC)."""

from __future__ import annotations

from typing import NamedTuple

from host.kernel.files import KernelFiles

_STATS = "/proc/spl/kstat/zfs/arcstats"


class Access(NamedTuple):
    """Requests that found their block in the cache, and all requests."""

    hits: int
    total: int


class Arc(NamedTuple):
    """Bytes, and requests since the module was loaded. A block that is on its way from the disk already
    (`iohits`) was not in the cache."""

    size: int
    target: int
    least: int
    most: int
    metadata: int
    demand: Access
    prefetch: Access
    ghost_hits: int  # of blocks that were dropped shortly before
    l2_size: int
    l2: Access


def read_arc(files: KernelFiles) -> Arc | None:
    """None where ZFS is not loaded. See man 4 zfs and module/zfs/arc.c of OpenZFS 2.3 for the names."""
    rows = (line.split() for line in files.read(_STATS).splitlines()[2:])
    found = {row[0]: int(row[2]) for row in rows if len(row) == 3 and row[2].lstrip("-").isdecimal()}
    if "size" not in found:
        return None

    def access(kind: str) -> Access:
        names = [f"{kind}_{of}" for of in ("data", "metadata")]
        hits = sum(found.get(f"{name}_hits", 0) for name in names)
        others = sum(found.get(f"{name}_{end}", 0) for name in names for end in ("iohits", "misses"))
        return Access(hits, hits + others)

    ghosts = ("mru_ghost_hits", "mfu_ghost_hits")
    l2_hits = found.get("l2_hits", 0)
    return Arc(
        size=found["size"], target=found.get("c", 0), least=found.get("c_min", 0), most=found.get("c_max", 0),
        metadata=found.get("arc_meta_used", found.get("metadata_size", 0)),
        demand=access("demand"), prefetch=access("prefetch"),
        ghost_hits=sum(found.get(name, 0) for name in ghosts),
        l2_size=found.get("l2_size", 0), l2=Access(l2_hits, l2_hits + found.get("l2_misses", 0)),
    )  # fmt: skip
