"""dataset.measure-compression: compress a sample of a snapshot's files by everything that OpenZFS offers."""

from __future__ import annotations

from typing import cast, get_args

import msgspec

from host.commands.datasets.measuring import MeasureCompression, RecordBytes, run_of
from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.compression.see import QUESTION, CompressionFound
from pools.measuring import beginning
from pools.measuring.beginning import NameText

_USUAL_ASHIFT = 12


class MeasureDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Read a sample of the files in a snapshot of the dataset's last day, and compress it in memory by each
    algorithm and level. The files are only read, and nothing is kept but the figures.
    """

    name: NameText


def needs(request: MeasureDataset, inventory: Inventory) -> Needs:
    """Its snapshots, and whether it is being measured."""
    return beginning.needs(request.name, inventory, QUESTION)


def plan(request: MeasureDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` for what has no files, no snapshot or no key, while the pool resilvers, and
    while it is measured already.
    """
    findings = Findings()
    dataset = beginning.file_system(request.name, inventory, findings)
    if dataset.number("recordsize") not in get_args(RecordBytes):
        findings.refuse("no-recordsize", "name", f"The record size of {dataset.name} is not known.")
    last = cast("CompressionFound", inventory.answers[QUESTION]).measured
    _, snapshot = beginning.idle(dataset, inventory, last, findings)
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
