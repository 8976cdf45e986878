"""What a ZFS label stands for: data that a pool still owns, or what was left behind."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from host.base import Host
from host.commands.disks.labels import ZdbLabel

_FIELD = re.compile(r"^    (state|txg|guid|hostid|pool_guid): (\d+)$", re.MULTILINE)
# pool_state_t in OpenZFS' sys/fs/zfs.h: DESTROYED; SPARE and L2CACHE, which name no pool and hold no data
# that could be lost.
_NOBODYS = {"2", "3", "4"}


class Label(NamedTuple):
    """The first label of a device; numbers as text."""

    state: str  # of the pool
    txg: str | None  # when it was written; spares and caches have none
    guid: str | None  # of the vdev
    hostid: str | None = None  # of the machine that used the pool last
    pool: str | None = None  # its guid

    @property
    def nobodys(self) -> bool:
        """It is of a destroyed pool, of a spare or of a cache."""
        return self.state in _NOBODYS

    @property
    def left(self) -> bool:
        """ZFS took the device out of its pool: detached, replaced or removed. No import counts it
        (vdev_label_init and zpool_in_use in OpenZFS: transaction 0 is that of no member)."""
        return self.txg == "0"


class Labels:
    """Remembers labels by device link and pool guid.

    blkid shows labels of destroyed pools and of former members like those of exported pools, and reading one
    wakes the disk, so each is read once. What is known is dropped when ZFS may have written another: when
    its pool is imported or let go, while its disk is a member, and while it is away.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Label | None] = {}
        self._imported: set[str] = set()

    def forget(
        self, imported: set[str], members: Iterable[str] = (), here: Collection[str] | None = None
    ) -> None:
        """`imported` are the guids of the pools that are imported now, `members` the links of their
        disks and partitions, `here` those of all that are in the machine; None where all are."""
        changed = self._imported ^ imported
        written = set(members)
        self._known = {
            key: label
            for key, label in self._known.items()
            if key[1] not in changed and key[0] not in written and (here is None or key[0] in here)
        }
        self._imported = set(imported)

    def read(self, host: Host, link: str, pool_guid: str) -> Label | None:
        """The label on `link`, which blkid says is of that pool; None where none can be read."""
        key = (link, pool_guid)
        if key not in self._known:
            self._known[key] = parse_zdb_label(host.run(ZdbLabel(device=link)).stdout)
        return self._known[key]


def parse_zdb_label(text: str) -> Label | None:
    """The first label, or None without one."""
    found: dict[str, str] = {}
    for name, value in _FIELD.findall(text):
        found.setdefault(name, value)
    if "state" not in found:
        return None
    return Label(
        state=found["state"],
        txg=found.get("txg"),
        guid=found.get("guid"),
        hostid=found.get("hostid"),
        pool=found.get("pool_guid"),
    )
