"""snapshot.stop-restore: end a restore that goes on in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.files import RestoreId, StopRestore
from host.files.names import plain
from host.inventory import Inventory
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.files.reach import Text, dataset_fault
from pools.files.restores import Restores

QUESTION = "files.restores"


class StopOneRestore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop a restore into `dataset`. What it copied so far is removed, and nothing else has changed."""

    dataset: Text
    restore: RestoreId  # as the list of restores tells it


def needs(request: StopOneRestore, inventory: Inventory) -> Needs:
    """How the dataset's restores stand."""
    dataset = inventory.dataset(request.dataset)
    if dataset is None or dataset_fault(dataset):
        return Needs()
    return Needs(answers=(AnswerNeeds(question=QUESTION, data={"dataset": request.dataset}),))


def plan(request: StopOneRestore, inventory: Inventory) -> Plan:
    """Raises `Refused` where it does not go on."""
    findings = Findings()
    dataset = inventory.dataset(request.dataset)
    if dataset is None:
        findings.refuse("unknown-dataset", "dataset", f"There is no dataset {request.dataset}.")
    if shut := dataset_fault(dataset):
        findings.refuse(shut.code, "dataset", shut.message)
    known = cast("Restores", inventory.answers[QUESTION]).results
    found = next((one for one in known if one.restore == request.restore), None)
    if found is None:
        findings.refuse("unknown-restore", "restore", "There is no such restore. It may have ended long ago.")
    if found.verdict is not None:
        findings.refuse("has-ended", "restore", f"It has ended already: {found.words}")
    step = Step(
        title=f"Stop the restore of {found.target} and remove what it copied so far",
        commands=(StopRestore(restore=found.restore),),
    )
    return Plan(
        operation="snapshot.stop-restore",
        steps=(step,),
        summary=(
            f"The restore of {plain(found.target)} into {dataset.name} stops, and what it has copied so far "
            f"is removed. Everything else in {dataset.name} stays as it is."
        ),
        claims=(f"restore:{found.restore}",),
    )
