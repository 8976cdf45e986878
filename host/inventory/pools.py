"""Pools and their vdevs as the kernel reports them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from host.inventory.progress import Checkpoint, Expansion, Filling, Removal, Scan

Role = Literal["data", "log", "cache", "special", "dedup", "spare"]
Health = Literal["healthy", "degraded", "faulted", "suspended", "unknown"]


class Vdev(msgspec.Struct, frozen=True, kw_only=True):
    """A node of a pool's tree. Leaves have no children; a spare or replacement in progress is a node
    of kind `spare` or `replacing` holding both leaves."""

    guid: str
    name: str  # as zpool prints it: raidz2-0, mirror-1, or a device path for leaves
    # disk, file, mirror, raidz, draid, spare, replacing, missing, hole, indirect…; dspare: a distributed
    # spare, whose `path` is a name and which has no disk of its own
    kind: str
    role: Role
    state: str  # ONLINE, DEGRADED, FAULTED, OFFLINE, UNAVAIL, REMOVED, AVAIL, INUSE or UNKNOWN
    read_errors: int = 0
    write_errors: int = 0
    checksum_errors: int = 0
    path: str | None = None  # of a leaf: the path ZFS has for it
    disk: str | None = None  # of a leaf: `Disk.id` if the disk is here now
    note: str | None = None  # what zpool says of it, such as "was /dev/disk/by-id/…"
    aux: str | None = None  # why it is in that state, in ZFS's words: NO_REPLICAS, OPEN_FAILED, SPARED…
    slow_ios: int = 0  # of a leaf: requests that took longer than 30 s
    size_bytes: int = 0  # of a leaf: its device
    total_bytes: int = 0  # of a top-level vdev: raw space, parity included
    allocated_bytes: int = 0
    expandable_bytes: int = 0  # of a top-level vdev: what its devices have grown by and ZFS does not use yet
    scanned_bytes: int = 0  # what the current or last scan wrote to it: resilvered, or repaired by a scrub
    self_healed_bytes: int = 0
    ashift: int | None = None  # of a leaf, only where its device would like it larger: see `physical_ashift`
    physical_ashift: int | None = None
    removing: bool = False
    not_allocating: bool = False  # ZFS puts nothing new on it
    resilver_deferred: bool = False  # waits for the current resilver to end
    trim: Filling | None = None  # None: never trimmed, or `trims` is not true
    trims: bool | None = None  # whether its device can be trimmed; None for all but leaves
    initialize: Filling | None = None  # None: never initialized
    children: tuple[Vdev, ...] = ()

    @property
    def link(self) -> str:
        """Of a leaf: the name of its disk's link, without the partition."""
        return re.sub(r"-part[0-9]+\Z", "", (self.path or self.name).rpartition("/")[2])


Leaf = Vdev


Feature = Literal["disabled", "enabled", "active"]


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
    message_id: str | None = None  # ZFS-8000-…, what `status` is known by
    removal: Removal | None = None
    expansion: Expansion | None = None
    checkpoint: Checkpoint | None = None
    damaged_files: tuple[str, ...] = ()  # as `zpool status -v` names them; see `data_errors` for how many

    last_scrub: str | None = None  # ISO 8601, UTC: when one last ended complete; filled in by `pools`

    @property
    def features(self) -> dict[str, Feature]:
        """Those this system knows, by name."""
        prefix = "feature@"
        words: dict[str, Feature] = {"disabled": "disabled", "enabled": "enabled", "active": "active"}
        return {
            name.removeprefix(prefix): words[value]
            for name, value in self.properties.items()
            if name.startswith(prefix) and value in words
        }

    @property
    def unsupported_features(self) -> tuple[str, ...]:
        """Those in use here that this system does not know."""
        prefix = "unsupported@"
        return tuple(name.removeprefix(prefix) for name in self.properties if name.startswith(prefix))

    @property
    def to_upgrade(self) -> tuple[str, ...]:
        """Features that `zpool upgrade` would enable: none where `compatibility` may hold them back."""
        if self.properties.get("compatibility", "off") != "off":
            return ()
        return tuple(name for name, state in self.features.items() if state == "disabled")

    @property
    def suspended(self) -> bool:
        """Nothing can be read or written until its devices are back and it is cleared."""
        return self.state == "SUSPENDED"

    @property
    def readonly(self) -> bool:
        """Imported without the right to write."""
        return self.properties.get("readonly") == "on"

    @property
    def multihost(self) -> bool:
        """Guarded against use by two machines at once."""
        return self.properties.get("multihost") == "on"

    @property
    def comment(self) -> str | None:
        """What its owner wrote."""
        return self._set("comment")

    @property
    def cachefile(self) -> str | None:
        """Where it is remembered for the next start: None the usual file, `none` nowhere."""
        return self._set("cachefile")

    @property
    def altroot(self) -> str | None:
        """The folder that its mountpoints are below, for as long as it is imported."""
        return self._set("altroot")

    @property
    def dedup_ratio(self) -> float:
        """How many times over deduplication stores what it does; 1.0 without any."""
        text = self.properties.get("dedupratio", "")
        return float(text) if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text) else 1.0

    @property
    def dedup_table_bytes(self) -> int:
        """What the table of deduplication takes on the disks."""
        text = self.properties.get("dedup_table_size", "")
        return int(text) if text.isdecimal() else 0

    @property
    def has_errata(self) -> bool:
        """A fault of former ZFS versions is known in it; `status` says which."""
        return self.message_id == "ZFS-8000-ER"

    def _set(self, name: str) -> str | None:
        value = self.properties.get(name, "-")
        return None if value == "-" else value

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
