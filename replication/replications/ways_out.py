"""Where somebody goes to resolve what stands in the way of a replication."""

from __future__ import annotations

from host.inventory import Inventory
from host.replication.values import Replica, Replicated, Replication
from jobs.wording import Link, address
from pools.links import dataset_href
from replication.links import TARGETS, replication_href
from replication.replications.direction import receives_here, sends_from_here

_IMPORT = Link("Import a pool", "/import/")
_RENAMED = {"no-common-snapshot", "encryption-differs", "other-kind"}


def of_run(report: Replicated, task: Replication, inventory: Inventory) -> Link | None:
    """For a run: what resolves the first thing in its way. None where only waiting helps, or the other
    machine."""
    if report.code == "connection":
        return TARGETS({})
    target = inventory.replicating.target(task.target_id)
    if report.code == "source-missing":
        return _IMPORT if sends_from_here(task, target) else None
    if report.code == "root-missing":
        return _IMPORT if receives_here(task, target) else None
    found = (of_replica(one, task, inventory) for one in report.datasets if one.state == "conflict")
    return next((way for way in found if way is not None), None)


def of_replica(one: Replica, task: Replication, inventory: Inventory) -> Link | None:
    """For one dataset; None where nothing of this console helps."""
    target = inventory.replicating.target(task.target_id)
    replica_is_here = receives_here(task, target) and inventory.dataset(one.target) is not None
    source_is_here = sends_from_here(task, target) and inventory.dataset(one.source) is not None
    match one.code:
        case "target-ahead" | "target-written" if replica_is_here and one.common:
            snapshot = f"{one.target}@{one.common}"
            href = address("/rollback/snapshot/{name:/}/", {"name": snapshot})
            return Link(f"Review rolling {one.target} back", href)
        case "target-ahead" | "target-written" if source_is_here and not task.back:
            return Link(f"To keep it, copy {one.target} back", f"{replication_href(task.id)}#settings")
        case code if code in _RENAMED and replica_is_here:
            return Link(f"Rename {one.target}", address("/rename/dataset/{name:/}/", {"name": one.target}))
        case "key-missing" if source_is_here:
            return Link(f"Unlock {one.source}", address("/keys/{name:/}/", {"name": one.source}))
        case "nothing-to-send" if source_is_here:
            return Link(f"Open {one.source}", dataset_href(one.source))
        case "nothing-to-send":
            return Link("Let it take its own snapshots", f"{replication_href(task.id)}#settings")
        case _:
            return None
