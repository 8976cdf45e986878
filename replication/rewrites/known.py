"""A rewriting that was begun, and the tasks that its programs carry out."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.replication.task import Task
from host.inventory import Inventory
from host.replication.rewriting import Rewrite
from jobs.planning.findings import Findings

DatasetText = Annotated[str, Meta(max_length=1024)]


def find(name: str, inventory: Inventory, findings: Findings) -> Rewrite:
    """Raises `Refused` where the dataset is not being written anew."""
    found = inventory.rewrite(name)
    if found is None:
        findings.refuse("unknown-rewrite", "dataset", f"{name[:200]} is not being written anew.")
    return found


def task_of(known: Rewrite) -> Task:
    """The replication by which it is copied."""
    return _task(known.key, known.dataset, known.copy)


def marks_of(known: Rewrite) -> Task:
    """The one that finds its holds and bookmarks: once the copy is live, its source has another name."""
    return _task(known.key, known.before, known.dataset) if known.live else task_of(known)


def _task(key: str, source: str, target: str) -> Task:
    root = source.rpartition("/")[0]
    return Task(id=key, source=source, root=root, target=target, raw=False, anew=True, own_snapshots=True)
