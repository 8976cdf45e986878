"""person.delete: delete a person of the shares."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.shares.accounts import RemoveFromSamba, RemovePerson
from host.inventory import Inventory, Person
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from shares import stored
from shares.people.leaving import with_shares, without
from shares.people.names import NameText, found_person, listed
from shares.wording import named


class DeletePerson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Delete a person with their password and memberships. Their files stay."""

    name: NameText


def plan(request: DeletePerson, inventory: Inventory) -> Plan:
    """Raises `Refused` for a person who is not there."""
    findings = Findings()
    person = found_person(request.name, inventory, findings)
    findings.info(
        "files-stay",
        "name",
        f"Files of {person.name} stay, under UID {person.uid}. Whoever gets that UID later then owns them.",
    )
    if person.samba == "enabled":
        message = f"{person.name} may be connected now, and stays connected until that connection ends."
        findings.warning("stays-connected", "name", message)
    commands: list[AnyCommand] = [RemovePerson(name=person.name)]
    if person.samba != "none":
        commands.insert(0, RemoveFromSamba(name=person.name))
    loss = Loss(account=person.name, holds=_words(person))
    plan = Plan(
        operation="person.delete",
        steps=(Step(title=f"Delete {person.name}", commands=tuple(commands), destroys=(loss,)),),
        summary=_summary(person),
        findings=findings.all(),
        claims=(f"person:{person.name}", *(f"group:{name}" for name in person.groups)),
        confirm=person.name,
    )
    return with_shares(plan, person.name, inventory)


def remember(request: DeletePerson, inventory: Inventory, _actor: str) -> None:
    """Shares name them no longer."""
    stored.keep(without(request.name, inventory))


def _summary(person: Person) -> str:
    parts = ["the password"] if person.samba != "none" else []
    parts += [f"membership in {named('group', person.groups)}"] if person.groups else []
    gone = f", with {' and '.join(parts)}" if parts else ""
    files = f"Files that belong to {person.name} stay, under UID {person.uid}."
    return f"{person.name} is deleted for good{gone}. {files}"


def _words(person: Person) -> str:
    """What is lost with a person, such as “Anna B.”, number 30000, with the password, in kin and crew."""
    called = f"“{person.full_name}”, " if person.full_name else ""
    secret = "" if person.samba == "none" else ", with the password"
    groups = f", in {listed(person.groups)}" if person.groups else ""
    return f"{called}number {person.uid}{secret}{groups}"
