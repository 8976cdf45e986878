"""dataset.stop-scan: stop a scan that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.measuring import StopMeasuring
from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.measuring import beginning
from pools.measuring.beginning import NameText
from pools.scan.see import QUESTION, FilesFound


class StopScan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop scanning the files of a dataset. What was counted by then is kept."""

    name: NameText


def needs(request: StopScan, inventory: Inventory) -> Needs:
    """How far it is."""
    return beginning.needs_to_stop(request.name, inventory, QUESTION)


def plan(request: StopScan, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is being scanned."""
    findings = Findings()
    # Answers are there only for a dataset that is.
    last = cast("FilesFound | None", inventory.answers.get(QUESTION))
    scanned = beginning.running(request.name, inventory, last.scanned if last else None, findings)
    stop = StopMeasuring(what="files", run=scanned.run)
    return Plan(
        operation="dataset.stop-scan",
        steps=(Step(title=f"Stop scanning the files of {request.name}", commands=(stop,)),),
        summary=f"{request.name} is not scanned any further. What was counted by then is shown.",
        findings=findings.all(),
        claims=(f"scan:{scanned.run}",),
    )


def remember(_request: StopScan, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the scan has ended."""
    questions.forget(QUESTION)
