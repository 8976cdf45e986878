"""The machine as it will be once commands have run: what later steps of the same job are planned on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from host.commands.base import Command
from host.commands.naming import SetHostname, SetTimeZone, StageHosts
from host.commands.pools.zpool import ZpoolCreate
from host.commands.shares.accounts import AddPerson, SetSambaPassword
from host.inventory import Dataset, Inventory, Person, Property
from host.mountpoints import UNMOUNTED


def after(inventory: Inventory, commands: Iterable[Command]) -> Inventory:
    """`inventory` with what these commands of a first start make of it, as far as its later parts ask."""
    for command in commands:
        inventory = _once_run(inventory, command)
    return inventory


def with_pool(
    inventory: Inventory, name: str, mountpoint: str, properties: Mapping[str, str] | None = None
) -> Inventory:
    """With the root of a new pool. Its guid is known once it is there: nothing that follows may need it."""
    values = {
        "mountpoint": mountpoint,
        "mounted": "no" if mountpoint in UNMOUNTED else "yes",
        **(properties or {}),
    }
    if "keyformat" in values:
        values |= {"encryptionroot": name, "keystatus": "available"}
    known = {key: Property(value=value, source="local") for key, value in values.items()}
    root = Dataset(name=name, kind="filesystem", guid="", properties=known)
    return replace(inventory, datasets=(*inventory.datasets, root))


def with_person(inventory: Inventory, person: Person) -> Inventory:
    """With somebody who may use shares; in the place of the one who had that name."""
    accounts = inventory.accounts
    others = tuple(one for one in accounts.people if one.name != person.name)
    uids = accounts.uids | {person.name: person.uid}
    return replace(inventory, accounts=replace(accounts, people=(*others, person), uids=uids))


def _once_run(inventory: Inventory, command: Command) -> Inventory:
    naming = inventory.naming
    match command:
        case StageHosts(text=text):
            return replace(inventory, naming=replace(naming, hosts=text))
        case SetHostname(name=name):
            renamed = replace(naming, name=name, kept=name)
            return replace(inventory, naming=renamed, facts=replace(inventory.facts, name=name))
        case SetTimeZone(zone=zone):
            return replace(inventory, naming=replace(naming, time_zone=zone))
        case ZpoolCreate(name=name, mountpoint=mountpoint, root_properties=properties):
            return with_pool(inventory, name, mountpoint, properties)
        case AddPerson(name=name, uid=uid, full_name=full_name, groups=groups):
            person = Person(name=name, uid=uid, full_name=full_name, groups=groups)
            return with_person(inventory, person)
        case SetSambaPassword(name=name):
            known = inventory.accounts.person(name)
            return with_person(inventory, replace(known, samba="enabled")) if known else inventory
    return inventory
