"""person.create-with-folder: somebody who may use shares, and a folder that is theirs alone."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.shares.accounts import AddPerson
from host.inventory import Inventory, Person
from host.inventory.people import FIRST_PERSON
from jobs.plan import Finding, Plan, Refused
from shares import share_folder
from shares.people import create_person


class CreatePersonWithFolder(
    create_person.CreatePerson, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Create a person and the dataset `folder`, shared under their name: nobody else may read or write it."""

    folder: Annotated[str, Meta(max_length=1024)]


def plan(
    request: CreatePersonWithFolder, inventory: Inventory, *, new_dataset: share_folder.NewDataset
) -> Plan:
    """Raises `Refused` with all that is wrong with the person and with the folder."""
    wrong: list[Finding] = []
    person: Plan | None = None
    folder: Plan | None = None
    try:
        person = create_person.plan(_person(request), inventory)
    except Refused as refused:
        wrong += refused.findings
    try:
        folder = share_folder.plan(
            _folder(request), _with_person(request, person, inventory), new_dataset=new_dataset
        )
    except Refused as refused:
        wrong += map(_at_the_folder, refused.findings)
    if person is None or folder is None:
        raise Refused(tuple(wrong))
    signs_in = "" if request.password else ", but cannot sign in until a password is set"
    return msgspec.structs.replace(
        folder,
        operation="person.create-with-folder",
        summary=f"{request.name} may use shares{signs_in}. The new dataset {request.folder} is shared as "
        f"“{request.name}”: only {request.name} may read and write it.",
        steps=(*person.steps, *folder.steps),
        findings=(*person.findings, *map(_at_the_folder, folder.findings)),
        claims=tuple(dict.fromkeys((*person.claims, *folder.claims))),
    )


def also_needs(_request: CreatePersonWithFolder) -> tuple[str, ...]:
    """A dataset is made."""
    return ("pools:write",)


def remember(request: CreatePersonWithFolder, inventory: Inventory, actor: str) -> None:
    """Write the row of the share."""
    share_folder.remember(_folder(request), inventory, actor)


def _person(request: CreatePersonWithFolder) -> create_person.CreatePerson:
    given = {name: getattr(request, name) for name in create_person.CreatePerson.__struct_fields__}
    return create_person.CreatePerson(**given)


def _folder(request: CreatePersonWithFolder) -> share_folder.ShareFolder:
    return share_folder.ShareFolder(
        dataset=request.folder, name=request.name, create=True, read=(), write=(request.name,)
    )


def _with_person(request: CreatePersonWithFolder, made: Plan | None, inventory: Inventory) -> Inventory:
    """The machine once the person is there; where that was refused, as if it had not been."""
    commands = made.steps[0].commands if made else ()
    uid = next((one.uid for one in commands if isinstance(one, AddPerson)), FIRST_PERSON)
    person = Person(
        name=request.name,
        uid=uid,
        full_name=request.full_name,
        groups=request.groups,
        samba="enabled" if request.password else "none",
    )
    accounts = inventory.accounts
    others = tuple(one for one in accounts.people if one.name != request.name)
    there = msgspec.structs.replace(
        accounts, people=(*others, person), uids=accounts.uids | {request.name: uid}
    )
    return msgspec.structs.replace(inventory, accounts=there)


def _at_the_folder(finding: Finding) -> Finding:
    """What is said of the dataset, the share or who may use it is about the folder."""
    return msgspec.structs.replace(finding, field="folder")
