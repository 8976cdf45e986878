"""repository.check: read a part of what is stored back, and compare."""

from __future__ import annotations

import msgspec

from backups import stored
from backups.chosen import ready_repository, refuse_beside
from backups.names import NameText, key_of
from host.commands.backups import Percent, StartRepositoryCheck
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings


class CheckRepository(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Check the repository's structure, and read `percent` of its data back; as it was set up where left out.
    The parts take turns."""

    name: NameText
    percent: Percent | None = None


def plan(request: CheckRepository, inventory: Inventory) -> Plan:
    """Raises `Refused` while something else uses the repository."""
    findings = Findings()
    found = ready_repository(request.name, inventory, findings)
    if found.running is not None and found.running.action == "check":
        findings.refuse("already-running", "name", f"{found.name} is being checked now.")
    refuse_beside(found, findings)
    percent = request.percent or found.check_percent
    run = key_of(found.key, "check", str(found.runs))
    return Plan(
        operation="repository.check",
        steps=(
            Step(
                title=f"Start a check of {found.name}",
                commands=(StartRepositoryCheck(run=run, repository=found.key, percent=percent),),
            ),
        ),
        summary=f"The structure of {found.name} is checked, and {percent} % of its data is read back and "
        "compared. Nothing is changed.",
        takes=f"as long as it takes to read {percent} % of what is stored there, in the background",
        claims=(f"repository:{found.name}",),
    )


def remember(request: CheckRepository, inventory: Inventory, _actor: str) -> None:
    """Follow the run."""
    found = inventory.backups.repository(request.name)
    if found is not None:
        stored.begin(key_of(found.key, "check", str(found.runs)), "check", found.name)
