"""repository.remove: forget the way to a repository. Everything stored there stays."""

from __future__ import annotations

import msgspec

from backups import stored
from backups.chosen import refuse_beside, repository_of
from backups.names import NameText
from host.commands.backups import ForgetRepository
from host.inventory import Inventory
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import listed


class RemoveRepository(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Remove its address, password and keys from this machine. Nothing stored there is touched."""

    name: NameText


def plan(request: RemoveRepository, inventory: Inventory) -> Plan:
    """Raises `Refused` while a backup uses it."""
    findings = Findings()
    found = repository_of(request.name, inventory, findings)
    refuse_beside(found, findings)
    users = [one.name for one in inventory.backups.backups if one.repository == found.name]
    if users:
        message = f"{listed(users)} would have no repository. Delete that first."
        findings.refuse("in-use", "name", message)
    loss = Loss(
        settings=f"the repository {found.name}",
        holds="the password, address and keys that are kept here. Whoever did not write the password down "
        "cannot read what is stored there any more.",
    )
    step = Step(
        title=f"Remove the way to {found.settings.location}",
        commands=(ForgetRepository(repository=found.key),), destroys=(loss,),
    )  # fmt: skip
    return Plan(
        operation="repository.remove",
        steps=(step,),
        summary=f"This machine forgets {found.settings.location} with its password. Everything stored there "
        "stays, and can be imported again by whoever has the password.",
        claims=(f"repository:{found.name}",),
        confirm=found.name,
    )


def remember(request: RemoveRepository, _inventory: Inventory, _actor: str) -> None:
    """Delete the row with its schedules."""
    stored.remove_repository(request.name)
