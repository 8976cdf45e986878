"""At which end of a replication is what: it leads to its replica, or back from there to its source."""

from __future__ import annotations

from host.replication.values import Replication, Target


def sends_from_here(task: Replication, target: Target | None) -> bool:
    """Whether what is sent lies on this machine."""
    return _on_this_machine(target) or not (task.pull or task.back)


def receives_here(task: Replication, target: Target | None) -> bool:
    """Whether what is written lies on this machine."""
    return _on_this_machine(target) or task.pull or task.back


def sent(task: Replication) -> str:
    """The dataset whose snapshots are sent."""
    return task.target if task.back else task.source


def written(task: Replication) -> str:
    """The dataset that is made by what arrives."""
    return task.source if task.back else task.target


def _on_this_machine(target: Target | None) -> bool:
    return target is not None and target.kind == "pool"
