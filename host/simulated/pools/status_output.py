"""`zpool status -jP --json-int` of simulated pools."""

from __future__ import annotations

from typing import Any

import msgspec

from host import typed
from host.base import Result
from host.capacity import LABELS_BYTES
from host.commands.pools.zpool import ZpoolErrors, ZpoolStatus
from host.simulated.datasets.space import allocated
from host.simulated.handlers import always, on
from host.simulated.pools.care import trims
from host.simulated.pools.condition_output import condition, fillings, progress
from host.simulated.pools.json_answer import CONFIG_TXG, answer
from host.simulated.pools.tree import device_of, spare_used
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine, Pool, Vdev
from host.simulated.vdevs import (
    ALLOCATING,
    GHOSTS,
    Health,
    all_leaves,
    expandable,
    health,
    names,
    of_role,
    root_health,
    shape,
    space,
    state,
)

Node = dict[str, Any]
_CLASSES = {"data": "normal", "cache": "l2cache"}
_CACHE_HEADER = 4096
_SECTIONS = (("dedup", "dedup"), ("special", "special"), ("logs", "log"), ("l2cache", "cache"))


def zpool_status(machine: Machine) -> str:
    """All imported pools."""
    return answer(
        "zpool status", {name: _pool(machine, pool) for name, pool in sorted(machine.pools.items())}
    )


def zpool_errors(machine: Machine, command: ZpoolErrors) -> Result:
    """One pool, with its damaged files."""
    pool = machine.pools.get(command.name)
    if pool is None:
        raise Refusal(f"cannot open '{command.name}': no such pool\n")
    files = {"errlist": pool.damaged} if pool.damaged else {}
    return done(answer("zpool status", {pool.name: _pool(machine, pool) | files}))


def _as_zfs_has_it(pool: Pool) -> Pool:
    """Of a suspended pool, leaves keep the states that could be noted before it stopped."""
    if not pool.suspended:
        return pool
    view = typed.decode(msgspec.json.encode(pool), Pool)
    for leaf in all_leaves(view):
        leaf.state = "ONLINE" if leaf.unnoticed else leaf.state
    return view


def _pool(machine: Machine, pool: Pool) -> Node:
    pool = _as_zfs_has_it(pool)
    view = _View(machine, pool)
    node: Node = {
        "name": pool.name, "state": state(pool), "pool_guid": pool.guid, "txg": CONFIG_TXG,
        "spa_version": 5000, "zpl_version": 5,
    }  # fmt: skip
    node |= condition(pool) | progress(pool)
    node["vdevs"] = {pool.name: view.root()}
    for key, role in _SECTIONS:
        found = [vdev for vdev in pool.vdevs if vdev.role == role and vdev.kind not in GHOSTS]
        if found:
            node[key] = {view.names[vdev.guid]: view.vdev(vdev) for vdev in found}
    if spares := of_role(pool, "spare"):
        node["spares"] = {vdev.path: view.spare(vdev) for vdev in spares}
    return node | {"error_count": len(pool.damaged)}


class _View:
    """One pool with what is computed once for all its vdevs."""

    def __init__(self, machine: Machine, pool: Pool) -> None:
        self.machine = machine
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
            **_errors(None),
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
        if more := expandable(vdev, self.pool):
            figures |= {"ex_dev_size": more}
        removal = self.pool.removal
        if removal and removal.state == "SCANNING" and removal.guid == vdev.guid:
            figures |= {"removing": 1}
        if not vdev.children:
            return self._leaf(vdev, figures, usable=whole.raw + LABELS_BYTES)
        return self._inner(vdev, figures | {"rep_dev_size": whole.raw})

    def spare(self, vdev: Vdev) -> Node:
        """A spare as the list of spares has it: INUSE while it stands in."""
        used = spare_used(self.pool, vdev)
        free = "AVAIL" if vdev.state == "ONLINE" else vdev.state
        node: Node = {
            "name": vdev.path, "vdev_type": vdev.kind, "guid": vdev.guid, "path": vdev.path, "class": "spare",
            "state": "INUSE" if used else free,
        }  # fmt: skip
        return node | ({"aux": "SPARED"} if used else {})

    def _inner(self, vdev: Vdev, figures: Node) -> Node:
        node: Node = {
            "name": self.names[vdev.guid], "vdev_type": vdev.kind, "guid": vdev.guid,
            "class": _CLASSES.get(vdev.role, vdev.role), **_health(health(vdev)), **figures, **_errors(None),
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
        found = health(vdev)
        missing = found.state == "UNAVAIL"
        what = {"not_present": 1, "was": vdev.path} if missing else {}
        device = device_of(self.machine, self.pool, vdev)
        return {
            "name": str(vdev.guid) if missing else vdev.path, "vdev_type": vdev.kind, "guid": vdev.guid,
            "path": vdev.path, "class": _CLASSES.get(vdev.role, vdev.role),
            **({"state": "CANT_OPEN"} if missing else _health(found)), **figures,
            "rep_dev_size": vdev.size if usable is None else usable, "phys_space": vdev.size + vdev.grown,
            **_errors(vdev), "slow_ios": 0, **what, **fillings(vdev, trims=trims(device)),
        }  # fmt: skip


def _errors(vdev: Vdev | None) -> Node:
    counted = (vdev.read_errors, vdev.write_errors, vdev.checksum_errors) if vdev else (0, 0, 0)
    return dict(zip(("read_errors", "write_errors", "checksum_errors"), counted, strict=True))


def _health(found: Health) -> Node:
    return {"state": found.state} | ({"aux": found.aux} if found.aux else {})


HANDLERS = always(ZpoolStatus, zpool_status) | on(ZpoolErrors, zpool_errors)
