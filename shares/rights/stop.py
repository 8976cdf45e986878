"""rights.stop: stop a run that sets rights in the background."""

from __future__ import annotations

from typing import cast

import msgspec

from host.commands.shares.rights import StopApplyingRights
from host.files.answers import Applied
from host.inventory import Inventory
from jobs import questions
from jobs.needs import AnswerNeeds, Needs
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted
from shares.rights.reach import shut
from shares.rights.see import DatasetText, FolderText, RightsFound
from shares.rights.set_rights import QUESTION, where


class StopSettingRights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop what sets rights on all that lies in a folder. What is set by then stays so."""

    dataset: DatasetText
    folder: FolderText = ""


def needs(request: StopSettingRights, inventory: Inventory) -> Needs:
    """How far it is."""
    dataset = inventory.dataset(request.dataset)
    if dataset is None or shut(dataset):
        return Needs()
    return Needs(
        answers=(AnswerNeeds(question=QUESTION, data={"dataset": request.dataset, "folder": request.folder}),)
    )


def plan(request: StopSettingRights, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing is being set."""
    findings = Findings()
    dataset = inventory.dataset(request.dataset)
    if dataset is None:
        findings.refuse("unknown-dataset", "dataset", f"There is no dataset {request.dataset[:200]}.")
    if why := shut(dataset):
        findings.refuse(why.code, why.field, why.message)
    run = cast("RightsFound", inventory.answers[QUESTION]).run
    if run is None:
        findings.refuse("no-run", "folder", "No permissions are being set on this folder.")
    if run.verdict is not None:
        findings.refuse("has-ended", "folder", f"It has ended already: {run.words}")
    findings.info("stays", "", "What has been set by then stays, and the rest keeps its permissions.")
    step = Step(
        title=f"Stop setting permissions in {dataset.name}", commands=(StopApplyingRights(run=run.run),)
    )
    return Plan(
        operation="rights.stop",
        steps=(step,),
        summary=_summary(request, run),
        findings=findings.all(),
        claims=(f"rights:{run.run}",),
    )


def _summary(request: StopSettingRights, run: Applied) -> str:
    place = where(request.dataset, request.folder)
    done = f"{counted(run.files, 'file')} and {counted(run.folders, 'folder')}"
    return (
        f"No more permissions are set in {place}. So far {done} have the new permissions; all others keep "
        "theirs."
    )


def remember(_request: StopSettingRights, _inventory: Inventory, _actor: str) -> None:
    """Discard stored answers: the run has ended."""
    questions.forget(QUESTION)
