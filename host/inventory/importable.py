"""Pools that are on disks of this machine but not imported."""

from __future__ import annotations

import re

import msgspec

from host.inventory.pools import Role

# What `zpool import` says, of three statuses that share one message id (cmd/zpool/zpool_main.c, 2.3.9).
_LAST_ACCESSED = "The pool was last accessed by another system"


class ImportableVdev(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the tree of a pool that is not imported. `zpool import` gives no guid of it."""

    name: str  # raidz2-0, mirror-1, or of a leaf its link's name, or its guid where it is missing
    role: Role
    state: str | None  # as of `Vdev`; None for caches and spares
    note: str | None = None  # why it is in that state
    children: tuple[ImportableVdev, ...] = ()

    @property
    def disk(self) -> str | None:
        """Of a leaf, the by-id name of the disk that its partition is on; None where it is missing."""
        if self.children or self.name.isdecimal():
            return None
        return re.sub(r"-part[0-9]+\Z", "", self.name)


class LastUse(msgspec.Struct, frozen=True, kw_only=True):
    """The other machine that used a pool last."""

    host: str
    at: str  # as ZFS writes the date, in this machine's time zone


class ImportablePool(msgspec.Struct, frozen=True, kw_only=True):
    """A pool whose labels are on disks of this machine, and that is not imported."""

    name: str
    guid: str
    state: str  # of the whole, as of `Pool`
    destroyed: bool
    vdevs: tuple[ImportableVdev, ...]  # top-level vdevs of all roles, data first
    status: str | None = None  # ZFS's own words on what is wrong
    action: str | None = None  # and on what can be done
    comment: str | None = None
    message_id: str | None = None  # ZFS-8000-…
    last_use: LastUse | None = None  # by another machine, where ZFS names it
    # This machine used it last, exported or not: its label has this machine's number. Where nothing says so,
    # the pool is taken for another machine's.
    used_here: bool = False

    @property
    def foreign(self) -> bool:
        """What it asks for was chosen on another machine."""
        return not self.used_here

    @property
    def last_used_elsewhere(self) -> bool:
        """Another machine used it last and did not export it: `force` is needed."""
        return self.message_id == "ZFS-8000-EY"

    @property
    def in_use_elsewhere(self) -> bool:
        """Another machine has it imported now, or might: no flag may get past that."""
        return self.last_used_elsewhere and not (self.status or "").startswith(_LAST_ACCESSED)

    @property
    def read_only_here(self) -> bool:
        """It uses features that this system can read but not write."""
        return (self.status or "").startswith("The pool can only be accessed in read-only mode")

    @property
    def unsupported(self) -> bool:
        """It uses features that this system does not know."""
        return (self.status or "").startswith("The pool uses the following feature(s) not supported")


class ImportLoss(msgspec.Struct, frozen=True, kw_only=True):
    """What has to be given up so that a pool can be imported."""

    needed: bool  # False: ZFS sees no reason to rewind, or no way: see `refused`
    seconds: int | None  # of the last transactions, about; None where ZFS does not say
    back_to: str | None  # the state it would return to, as ZFS writes the date, in the machine's time zone
    refused: str | None  # ZFS's own words where it cannot


class Importable(msgspec.Struct, frozen=True, kw_only=True):
    """What the labels of all disks said when they were last read."""

    as_of: str  # ISO 8601, UTC
    pools: tuple[ImportablePool, ...]  # destroyed ones too
    losses: dict[str, ImportLoss] = {}  # what a rewind would give up, by guid, of pools it was asked for

    def pool(self, guid: str, *, destroyed: bool = False) -> ImportablePool | None:
        """The pool with that guid."""
        found = (pool for pool in self.pools if pool.guid == guid and pool.destroyed is destroyed)
        return next(found, None)
