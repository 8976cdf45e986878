"""repository.connect: use a repository whose server has been given its key."""

from __future__ import annotations

import msgspec

from backups import stored
from backups.chosen import repository_of
from backups.names import NameText
from host.commands.backups import InitRepository, OpenRepository
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings


class ConnectRepository(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make the repository at its place, or open it where it is an imported one."""

    name: NameText


def plan(request: ConnectRepository, inventory: Inventory) -> Plan:
    """Raises `Refused` where it is connected already."""
    findings = Findings()
    found = repository_of(request.name, inventory, findings)
    if found.ready:
        findings.refuse("already-connected", "name", f"{found.name} is connected.")
    command = OpenRepository if found.existing else InitRepository
    does = "is opened" if found.existing else "is made there, and everything in it is encrypted"
    return Plan(
        operation="repository.connect",
        steps=(
            Step(title=f"Connect to {found.settings.location}", commands=(command(repository=found.key),)),
        ),
        summary=f"The server at {found.settings.location} is signed in to, and the repository {does}.",
        claims=(f"repository:{found.name}",),
    )


def remember(request: ConnectRepository, _inventory: Inventory, _actor: str) -> None:
    """It can be used from now on."""
    stored.connected(request.name)
