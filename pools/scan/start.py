"""dataset.scan-files: add up what files a dataset holds, in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.measuring import ScanFiles, run_of
from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.measuring import beginning
from pools.measuring.beginning import NameText
from pools.scan.see import QUESTION, FilesFound

_TAKES = "seconds, hours for millions of files; in the background, at the lowest priority"
_DUPLICATES_TAKE = "as long as it takes to read large files of the same size, in the background"


class ScanDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Count the files of a snapshot of the dataset's last day by folder, kind and size. Nothing is kept but
    the figures and the names of the largest folders.

    No file is opened, but with `duplicates` files of 1 MiB and more that have the same size are read, to find
    those with the same content.
    """

    name: NameText
    duplicates: bool = False


def needs(request: ScanDataset, inventory: Inventory) -> Needs:
    """Its snapshots, and whether it is being scanned."""
    return beginning.needs(request.name, inventory, QUESTION)


def plan(request: ScanDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` for what has no files, no snapshot or no key, while the pool resilvers, and
    while it is scanned already.
    """
    findings = Findings()
    dataset = beginning.file_system(request.name, inventory, findings)
    last = cast("FilesFound", inventory.answers[QUESTION]).scanned
    _, snapshot = beginning.idle(dataset, inventory, last, findings)
    run = run_of(dataset.name)
    begin = ScanFiles(run=run, dataset=dataset.name, tag=snapshot.tag, compare=request.duplicates)
    return Plan(
        operation="dataset.scan-files",
        steps=(Step(title=f"Start scanning the files of {dataset.name}", commands=(begin,)),),
        summary=f"The files in {snapshot.name} are counted by folder, kind and size. {_read(request)}",
        takes=_DUPLICATES_TAKE if request.duplicates else _TAKES,
        findings=findings.all(),
        claims=(f"scan:{run}",),
    )


def _read(request: ScanDataset) -> str:
    if request.duplicates:
        return "Large files of the same size are read and compared. Nothing changes."
    return "None of them is opened, and nothing changes."


def remember(_request: ScanDataset, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: a scan goes on now."""
    questions.forget(QUESTION)
