"""Pools and their vdevs as the kernel reports them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

Role = Literal["data", "log", "cache", "special", "dedup", "spare"]
Health = Literal["healthy", "degraded", "faulted", "suspended", "unknown"]


class Vdev(msgspec.Struct, frozen=True, kw_only=True):
    """A node of a pool's tree. Leaves have no children; a spare or replacement in progress is a node
    of kind `spare` or `replacing` holding both leaves."""

    guid: str
    name: str  # as zpool prints it: raidz2-0, mirror-1, or a device path for leaves
    kind: str  # disk, file, mirror, raidz, draid, spare, replacing, missing, hole, indirect…
    role: Role
    state: str  # ONLINE, DEGRADED, FAULTED, OFFLINE, UNAVAIL, REMOVED, AVAIL, INUSE or UNKNOWN
    read_errors: int = 0
    write_errors: int = 0
    checksum_errors: int = 0
    path: str | None = None  # of a leaf: the path ZFS has for it
    disk: str | None = None  # of a leaf: `Disk.id` if the disk is here now
    note: str | None = None  # what zpool says of it, such as "was /dev/disk/by-id/…"
    children: tuple[Vdev, ...] = ()


Leaf = Vdev


class Scan(msgspec.Struct, frozen=True, kw_only=True):
    """What the kernel scans or scanned last: a scrub or a resilver."""

    function: str  # SCRUB, RESILVER or UNKNOWN
    state: str  # SCANNING, FINISHED, CANCELED or UNKNOWN
    started: str | None = None  # ISO 8601, UTC
    finished: str | None = None
    percent: float | None = None  # 0 to 100; None where the kernel has none
    errors: int = 0


class Pool(msgspec.Struct, frozen=True, kw_only=True):
    """An imported pool. Bytes are raw (parity included), as `zpool list` has them."""

    name: str
    guid: str
    state: str
    vdevs: tuple[Vdev, ...]  # top-level vdevs of all roles, data first
    size_bytes: int
    allocated_bytes: int
    free_bytes: int
    ashift: int  # 0 when the vdevs were made with the automatic choice
    scan: Scan | None = None
    data_errors: int = 0
    status: str | None = None  # ZFS's own words on what is wrong
    action: str | None = None  # and on what to do
    properties: dict[str, str] = {}

    @property
    def health(self) -> Health:
        """Computed over the leaves, since a leaf may be FAULTED while its pool says ONLINE."""
        if self.state == "SUSPENDED":
            return "suspended"
        if self.state in {"FAULTED", "UNAVAIL"}:
            return "faulted"
        used = [leaf for vdev in self.vdevs if vdev.role != "spare" for leaf in leaves(vdev)]
        if self.state == "ONLINE" and all(leaf.state == "ONLINE" for leaf in used):
            errors = any(leaf.read_errors or leaf.write_errors or leaf.checksum_errors for leaf in used)
            return "degraded" if errors or self.data_errors else "healthy"
        return "degraded" if self.state in {"ONLINE", "DEGRADED"} else "unknown"


def leaves(vdev: Vdev) -> Iterator[Vdev]:
    """The leaves below `vdev`, or itself if it is one, in the order zpool prints them."""
    if not vdev.children:
        yield vdev
    for child in vdev.children:
        yield from leaves(child)
