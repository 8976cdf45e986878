"""dataset.stop-measuring-compression: stop a measurement that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.datasets.measuring import StopMeasuring
from host.inventory import Inventory
from jobs import questions
from jobs.needs import Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.compression.see import QUESTION, CompressionFound
from pools.measuring import beginning
from pools.measuring.beginning import NameText


class StopMeasuringDataset(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop measuring the compression of a dataset. What was measured by then is kept."""

    name: NameText


def needs(request: StopMeasuringDataset, inventory: Inventory) -> Needs:
    """How far it is."""
    return beginning.needs_to_stop(request.name, inventory, QUESTION)


def plan(request: StopMeasuringDataset, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is being measured."""
    findings = Findings()
    # Answers are there only for a dataset that is.
    last = cast("CompressionFound | None", inventory.answers.get(QUESTION))
    measured = beginning.running(request.name, inventory, last.measured if last else None, findings)
    stop = StopMeasuring(what="compression", run=measured.run)
    return Plan(
        operation="dataset.stop-measuring-compression",
        steps=(Step(title=f"Stop measuring compression of {request.name}", commands=(stop,)),),
        summary=f"{request.name} is not measured any further. What was measured by then is shown.",
        findings=findings.all(),
        claims=(f"compression:{measured.run}",),
    )


def remember(_request: StopMeasuringDataset, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the measurement has ended."""
    questions.forget(QUESTION)
