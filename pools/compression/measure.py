"""dataset.measure-compression: compress a sample of a snapshot's files by everything that OpenZFS offers."""

from __future__ import annotations

from typing import cast, get_args

import msgspec

from host.commands.datasets.compression import MeasureCompression, RecordBytes, run_of
from host.inventory import Dataset, Inventory, Snapshot
from host.inventory.redundancy import resilvering
from jobs import questions
from jobs.needs import AnswerNeeds, Needs, SnapshotNeeds
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.compression.see import QUESTION, CompressionFound, NameText

_USUAL_ASHIFT = 12


class MeasureDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Read a sample of the files in the dataset's newest snapshot, and compress it in memory by each
    algorithm and level. The files are only read, and nothing is kept but the figures.
    """

    name: NameText


def needs(request: MeasureDataset, inventory: Inventory) -> Needs:
    """Its snapshots, and whether it is being measured; nothing where the plan refuses without."""
    dataset = inventory.dataset(request.name)
    if dataset is None or dataset.kind == "volume":
        return Needs()
    return Needs(
        snapshots=SnapshotNeeds(datasets=(dataset.name,), everywhere_below=False),
        answers=(AnswerNeeds(question=QUESTION, data={"name": dataset.name}),),
    )


def plan(request: MeasureDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` for what has no files, no snapshot or no key, while the pool resilvers, and
    while it is measured already.
    """
    findings = Findings()
    dataset = inventory.dataset(request.name)
    if dataset is None:
        findings.refuse("unknown-dataset", "name", f"There is no dataset {request.name[:200]}.")
    _check(dataset, inventory, findings)
    findings.refuse_on_error()
    snapshot = _newest(inventory, dataset)
    if snapshot is None:
        message = f"{dataset.name} has no snapshot, and files are read from one. Take a snapshot first."
        findings.refuse("no-snapshot", "name", message)
    measured = cast("CompressionFound", inventory.answers[QUESTION]).measured
    if measured is not None and measured.verdict is None:
        message = "It is being measured already. Wait until that has finished, or stop it first."
        findings.refuse("already-measuring", "name", message)
    run = run_of(dataset.name)
    pool = next(pool for pool in inventory.pools if pool.name == dataset.pool)
    embeds = pool.features.get("embedded_data", "active") != "disabled"
    begin = MeasureCompression(
        run=run, dataset=dataset.name, tag=snapshot.tag,
        record_bytes=cast("RecordBytes", dataset.number("recordsize")), ashift=pool.ashift or _USUAL_ASHIFT,
        embeds=embeds and dataset.value("encryption") in {None, "off"},
    )  # fmt: skip
    return Plan(
        operation="dataset.measure-compression",
        steps=(Step(title=f"Start measuring compression of {dataset.name}", commands=(begin,)),),
        summary=(
            f"Some hundred blocks of the files in {snapshot.name} are read, and compressed in memory by "
            "each algorithm and level. The files are only read, and nothing changes."
        ),
        takes="minutes, in the background and at the lowest priority",
        findings=findings.all(),
        claims=(f"compression:{run}",),
    )


def remember(_request: MeasureDataset, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: a measurement goes on now."""
    questions.forget(QUESTION)


def _check(dataset: Dataset, inventory: Inventory, findings: Findings) -> None:
    if dataset.kind == "volume":
        message = f"{dataset.name} is a volume: a virtual disk whose files ZFS cannot see."
        findings.error("no-files", "name", message)
        return
    if dataset.value("keystatus") == "unavailable":
        findings.error("locked", "name", f"{dataset.name} is locked. Load its key first.")
    if dataset.number("recordsize") not in get_args(RecordBytes):
        findings.error("no-recordsize", "name", f"The record size of {dataset.name} is not known.")
    if any(pool.name == dataset.pool and resilvering(pool) for pool in inventory.pools):
        message = f"{dataset.pool} resilvers. Measure when that has finished, so that it is not slowed down."
        findings.error("resilvering", "name", message)


def _newest(inventory: Inventory, dataset: Dataset) -> Snapshot | None:
    snapshots = [one for one in inventory.snapshots.get(dataset.name, ()) if not one.leaving]
    return max(snapshots, key=lambda one: one.createtxg, default=None)
