"""What a measurement needs, and why it may not begin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, NamedTuple, Protocol

from msgspec import Meta

from host.inventory import Dataset, Inventory, Pool, Snapshot
from host.inventory.redundancy import resilvering
from jobs.needs import AnswerNeeds, Needs, SnapshotNeeds
from jobs.planning.findings import Findings
from pools.policies.rules.names import read_tag

_SAME_DAY_S = 86_400
NameText = Annotated[str, Meta(max_length=1024)]


class Subject(NamedTuple):
    """Whose files are read, and from which snapshot."""

    dataset: Dataset
    snapshot: Snapshot


class Report(Protocol):
    """Of a measurement: `verdict` is None while it goes on."""

    @property
    def run(self) -> str: ...

    @property
    def verdict(self) -> Any: ...


def needs(name: str, inventory: Inventory, question: str) -> Needs:
    """Its snapshots, and whether it is being measured; nothing where the plan refuses without."""
    dataset = inventory.dataset(name)
    if dataset is None or dataset.kind == "volume":
        return Needs()
    return Needs(
        snapshots=SnapshotNeeds(datasets=(dataset.name,), everywhere_below=False),
        answers=(AnswerNeeds(question=question, data={"name": dataset.name}),),
    )


def file_system(name: str, inventory: Inventory, findings: Findings) -> Dataset:
    """Raises `Refused` for what has no files, or no key, and while the pool resilvers."""
    dataset = inventory.dataset(name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", f"There is no dataset {name[:200]}.")
    if dataset.kind == "volume":
        message = f"{dataset.name} is a volume: a virtual disk whose files ZFS cannot see."
        findings.refuse("no-files", "name", message)
    if dataset.value("keystatus") == "unavailable":
        findings.error("locked", "name", f"{dataset.name} is locked. Load its key first.")
    if any(pool.name == dataset.pool and resilvering(pool) for pool in inventory.pools):
        message = f"{dataset.pool} resilvers. Measure when that has finished, so that it is not slowed down."
        findings.error("resilvering", "name", message)
    findings.refuse_on_error()
    return dataset


def quiet_pool(name: str, inventory: Inventory, findings: Findings) -> Pool:
    """Raises `Refused` for a pool that is not here or stopped, and while it resilvers."""
    pool = inventory.pool(name)
    if pool is None:
        findings.refuse("unknown-pool", "name", f"There is no pool {name[:200]}.")
    if pool.suspended:
        findings.error("suspended", "name", f"{pool.name} has stopped, as too many disks are missing.")
    if resilvering(pool):
        message = f"{pool.name} resilvers. Measure when that has finished, so that it is not slowed down."
        findings.error("resilvering", "name", message)
    findings.refuse_on_error()
    return pool


def idle(dataset: Dataset, inventory: Inventory, last: Report | None, findings: Findings) -> Subject:
    """Raises `Refused` where it has no snapshot, and while it is measured already; `last` is the report of
    the last measurement.
    """
    snapshots = [one for one in inventory.snapshots.get(dataset.name, ()) if not one.leaving]
    chosen = _to_read(snapshots)
    if chosen is None:
        message = f"{dataset.name} has no snapshot, and files are read from one. Take a snapshot first."
        findings.refuse("no-snapshot", "name", message)
    refuse_another(last, findings)
    return Subject(dataset, chosen)


def _to_read(snapshots: Iterable[Snapshot]) -> Snapshot | None:
    """The newest; rather one of the same day that lives for days than one of every few minutes. While it is
    read it cannot be destroyed, and a policy that wants to would fail."""
    newest_first = sorted(snapshots, key=lambda one: one.createtxg, reverse=True)
    if not newest_first:
        return None
    late = [one for one in newest_first if newest_first[0].created - one.created <= _SAME_DAY_S]
    return next((one for one in late if not _is_short(one)), newest_first[0])


def _is_short(one: Snapshot) -> bool:
    read = read_tag(one.tag)
    return read is not None and read[0] == "frequent"


def refuse_another(last: Report | None, findings: Findings) -> None:
    """Raises `Refused` while the measurement with the report `last` goes on."""
    if last is not None and last.verdict is None:
        message = "It is being measured already. Wait until that has finished, or stop it first."
        findings.refuse("already-measuring", "name", message)
