"""`zpool status -jP --json-int` of simulated pools."""

from __future__ import annotations

from typing import Any

from host.capacity import LABELS_BYTES
from host.simulated.datasets.space import allocated
from host.simulated.pools.json_answer import CONFIG_TXG, answer
from host.simulated.pools.vdevs import (
    ALLOCATING,
    Health,
    all_leaves,
    health,
    leaves,
    names,
    of_role,
    root_health,
    shape,
    space,
    state,
)
from host.simulated.state import Machine, Pool, Vdev

Node = dict[str, Any]
_CLASSES = {"data": "normal", "cache": "l2cache"}
_CACHE_HEADER = 4096
_SECTIONS = (("dedup", "dedup"), ("special", "special"), ("logs", "log"), ("l2cache", "cache"))
_NO_ERRORS = {"read_errors": 0, "write_errors": 0, "checksum_errors": 0}
# Texts as zpool prints them, its missing quotation mark included.
_REMOVED_STATUS = """One or more devices have been removed.
\tSufficient replicas exist for the pool to continue functioning in a
\tdegraded state.
"""
_REMOVED_ACTION = "Online the device using zpool online' or replace the device with\n\t'zpool replace'.\n"
_SUSPENDED = {
    "status": "One or more devices are faulted in response to IO failures.\n",
    "action": "Make sure the affected devices are connected, then run 'zpool clear'.\n",
    "msgid": "ZFS-8000-HC",
    "moreinfo": "https://openzfs.github.io/openzfs-docs/msg/ZFS-8000-HC",
}


def zpool_status(machine: Machine) -> str:
    """All imported pools."""
    return answer("zpool status", {name: _pool(pool) for name, pool in sorted(machine.pools.items())})


def _pool(pool: Pool) -> Node:
    view = _View(pool)
    node: Node = {
        "name": pool.name, "state": state(pool), "pool_guid": pool.guid, "txg": CONFIG_TXG,
        "spa_version": 5000, "zpl_version": 5,
    }  # fmt: skip
    if pool.suspended:
        node |= _SUSPENDED
    elif any(leaf.state == "REMOVED" and leaf.role != "spare" for leaf in all_leaves(pool)):
        node |= {"status": _REMOVED_STATUS, "action": _REMOVED_ACTION}
    if pool.scan:
        node["scan_stats"] = _scan(pool)
    node["vdevs"] = {pool.name: view.root()}
    for key, role in _SECTIONS:
        found = [vdev for vdev in pool.vdevs if vdev.role == role]
        if found:
            node[key] = {view.names[vdev.guid]: view.vdev(vdev) for vdev in found}
    if spares := of_role(pool, "spare"):
        node["spares"] = {vdev.path: view.spare(vdev) for vdev in spares}
    return node | {"error_count": 0}


def _scan(pool: Pool) -> Node:
    scan = pool.scan
    if scan is None:
        return {}
    return {
        "function": scan.function, "state": "FINISHED", "start_time": scan.started,
        "end_time": scan.finished, "to_examine": scan.examined, "examined": scan.examined, "skipped": 0,
        "processed": scan.examined, "errors": 0, "bytes_per_scan": 0, "pass_start": scan.started,
        "scrub_pause": 0, "scrub_spent_paused": 0, "issued_bytes_per_scan": scan.examined,
        "issued": scan.examined,
    }  # fmt: skip


class _View:
    """One pool with what is computed once for all its vdevs."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self.names = names(pool)
        self.allocated = allocated(pool)

    def root(self) -> Node:
        """The vdev that holds the data vdevs; its figures are those of the whole pool."""
        pool = self.pool
        spaces = [space(vdev, pool) for vdev in of_role(pool, *ALLOCATING)]
        node: Node = {
            "name": pool.name, "vdev_type": "root", "guid": pool.guid, "class": "normal",
            **_health(root_health(pool)), "alloc_space": sum(self.allocated.values()),
            "total_space": sum(one.raw for one in spaces), "def_space": sum(one.usable for one in spaces),
            **_NO_ERRORS,
        }  # fmt: skip
        return node | {"vdevs": {self.names[v.guid]: self.vdev(v) for v in of_role(pool, "data")}}

    def vdev(self, vdev: Vdev) -> Node:
        """A top-level vdev with its children."""
        if vdev.role == "cache":
            return self._leaf(vdev, {"total_space": vdev.size - LABELS_BYTES - _CACHE_HEADER})
        whole = space(vdev, self.pool)
        taken = self.allocated.get(vdev.guid, 0)
        figures = {"alloc_space": taken} if taken else {}
        figures |= {"total_space": whole.raw, "def_space": whole.usable}
        if not vdev.children:
            return self._leaf(vdev, figures, usable=whole.raw + LABELS_BYTES)
        return self._inner(vdev, figures | {"rep_dev_size": whole.raw})

    def spare(self, vdev: Vdev) -> Node:
        """A spare as the list of spares has it: INUSE while it stands in."""
        used = any(leaf.guid == vdev.guid for top in of_role(self.pool, "data") for leaf in leaves(top))
        free = "AVAIL" if vdev.state == "ONLINE" else vdev.state
        node: Node = {
            "name": vdev.path, "vdev_type": "disk", "guid": vdev.guid, "path": vdev.path, "class": "spare",
            "state": "INUSE" if used else free,
        }  # fmt: skip
        return node | ({"aux": "SPARED"} if used else {})

    def _inner(self, vdev: Vdev, figures: Node) -> Node:
        node: Node = {
            "name": self.names[vdev.guid], "vdev_type": vdev.kind, "guid": vdev.guid,
            "class": _CLASSES.get(vdev.role, vdev.role), **_health(health(vdev)), **figures, **_NO_ERRORS,
        }  # fmt: skip
        children: Node = {}
        for child in vdev.children:
            if child.children:
                smallest = min(shape(child).device_bytes) - LABELS_BYTES
                children[self.names[child.guid]] = self._inner(child, {"rep_dev_size": smallest})
            else:
                children[child.path or ""] = self._leaf(child, {})
        return node | {"vdevs": children}

    def _leaf(self, vdev: Vdev, figures: Node, *, usable: int | None = None) -> Node:
        return {
            "name": vdev.path, "vdev_type": "disk", "guid": vdev.guid, "path": vdev.path,
            "class": _CLASSES.get(vdev.role, vdev.role), **_health(health(vdev)), **figures,
            "rep_dev_size": vdev.size if usable is None else usable, "phys_space": vdev.size, **_NO_ERRORS,
            "slow_ios": 0,
        }  # fmt: skip


def _health(found: Health) -> Node:
    return {"state": found.state} | ({"aux": found.aux} if found.aux else {})
