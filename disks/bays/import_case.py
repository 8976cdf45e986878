"""chassis.import: the case and all that is known of its bays, from a YAML text."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from disks.bays import case_file
from disks.bays.set_bays import step, warn_of_contradictions
from disks.bays.set_chassis import in_words, steps
from disks.bays.stored import store_layout, store_teachings
from disks.layout import check_layout, check_teachings
from host.inventory import Inventory
from jobs.plan import Plan
from jobs.planning.findings import Findings
from jobs.planning.words import sentences


class ImportCase(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A text as the export gives it. It takes the place of the whole case, or nothing is saved."""

    yaml: Annotated[str, Meta(min_length=1, max_length=case_file.LONGEST)]


def plan(request: ImportCase, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the text."""
    file = case_file.read(request.yaml, field="yaml")
    findings = Findings()
    check_layout(file.chassis, findings, "chassis")
    check_teachings(file.bays, file.chassis.labels, findings)
    findings.refuse_on_error()
    warn_of_contradictions(file.bays, inventory, findings)
    if any(bay.taught for bay in inventory.bays):
        findings.warning("replaces", "", "The current mapping is deleted.")
    return Plan(
        operation="chassis.import",
        steps=(*steps(file.chassis), step(file.bays)),
        summary=_summary(file, inventory),
        findings=findings.all(),
        claims=("chassis:case",),
    )


def _summary(file: case_file.CaseFile, inventory: Inventory) -> str:
    old = "The saved bays and disk mapping are replaced."
    return sentences(
        f"The chassis becomes {in_words(file.chassis)}.",
        f"The file says which disks are in {len(file.bays) or 'none'} of them.",
        old if any(bay.taught for bay in inventory.bays) else "",
    )


def remember(request: ImportCase, _inventory: Inventory, _actor: str) -> None:
    """Store it."""
    file = case_file.read(request.yaml)
    store_layout(file.chassis)
    store_teachings(file.bays)
