"""Which leaves of a pool are known by names that do not last."""

from __future__ import annotations

import re

from host.inventory import Inventory, Pool, Vdev, leaves

_BY_ID = "/dev/disk/by-id/"
_PRESENT = {"ONLINE", "DEGRADED", "AVAIL", "INUSE"}


def to_mend(pool: Pool, inventory: Inventory) -> tuple[Vdev, ...]:
    """Leaves whose disk is here but that the pool knows by a kernel name such as sdX, or by a link that is
    gone. Export and import mend them."""
    found = [leaf for top in pool.vdevs for leaf in leaves(top) if leaf.path]
    return tuple(leaf for leaf in found if not _lasts(leaf, inventory) and _is_here(leaf, pool, inventory))


def _lasts(leaf: Vdev, inventory: Inventory) -> bool:
    path = leaf.path or ""
    name = re.sub(r"-part[0-9]+\Z", "", path.removeprefix(_BY_ID))
    if not path.startswith("/dev/"):
        return True  # a file: not ours to judge
    return path.startswith(_BY_ID) and inventory.disk(name) is not None


def _is_here(leaf: Vdev, pool: Pool, inventory: Inventory) -> bool:
    if leaf.disk is not None or leaf.state in _PRESENT:
        return True
    # Its label is on a disk that no leaf of the pool leads to.
    return any(claim.strays_from(pool.guid) for disk in inventory.disks for claim in disk.claims)
