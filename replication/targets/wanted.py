"""What targets and pairings have in common: their names, the datasets that replicas lie below, and who is
known.
"""

from __future__ import annotations

import hashlib
from typing import Annotated

from msgspec import Meta

from host.commands.datasets.zfs import ZfsCreate
from host.commands.replication.task import overlapping
from host.inventory import Inventory
from jobs.planning.findings import Findings
from pools.names import dataset_name_fault, pool_name_fault

NameText = Annotated[str, Meta(max_length=200)]
Text = Annotated[str, Meta(max_length=1024)]
Number = Annotated[int, Meta(ge=1, le=1 << 53)]
_LONGEST_NAME = 80
# Of what only holds replicas: mounted by nobody, changed by nobody, and no policy takes snapshots there.
CONTAINER = {"canmount": "off", "readonly": "on", "nasweb:policy": "off"}


def id_of(what: str, name: str) -> str:
    """What root's files about a target or pairing are called: always the same for the name it was made by."""
    return hashlib.sha256(f"{what} {name}".encode()).hexdigest()[:16]


def check_name(name: str, taken: frozenset[str], what: str, findings: Findings) -> None:
    """Adds findings on `name`."""
    if not name.strip() or name != name.strip() or not name.isprintable() or len(name) > _LONGEST_NAME:
        message = f"Give it a name of up to {_LONGEST_NAME} characters, such as “attic”."
        findings.error("bad-name", "name", message)
    elif name.casefold() in {one.casefold() for one in taken}:
        findings.error("name-taken", "name", f"There is a {what} called {name} already.")


def check_place(name: str, inventory: Inventory, findings: Findings, field: str = "dataset") -> bool:
    """Whether replicas can lie below a dataset of this machine, which need not be there; adds findings."""
    if fault := dataset_name_fault(name) if "/" in name else pool_name_fault(name):
        findings.error("bad-name", field, fault)
        return False
    pool = next((one for one in inventory.pools if one.name == name.partition("/")[0]), None)
    if pool is None:
        message = (
            f"There is no pool {name.partition('/')[0][:60]} here now. Plug its disks in, and import it."
        )
        findings.error("unknown-pool", field, message)
        return False
    for one in (name, *_above(name)):
        found = inventory.dataset(one)
        if found is not None and found.kind == "volume":
            findings.error("is-volume", field, f"{one} is a volume and holds no datasets.")
            return False
    return True


def check_apart(name: str, inventory: Inventory, findings: Findings, field: str = "dataset") -> None:
    """What one machine may write to is no other's: adds findings where two places overlap."""
    places = [(one.name, one.dataset) for one in inventory.replicating.pairings]
    places += [(one.name, one.dataset) for one in inventory.replicating.targets if one.kind == "pool"]
    for other, place in places:
        if overlapping(name, place):
            message = f"{place} is the place of {other}: choose a dataset that does not overlap with it."
            findings.error("overlaps", field, message)


def missing(name: str, inventory: Inventory) -> tuple[ZfsCreate, ...]:
    """What makes a dataset with all above it, as far as they are not there."""
    wanted = [one for one in (*reversed(_above(name)), name) if inventory.dataset(one) is None]
    return tuple(ZfsCreate(name=one, properties=CONTAINER) for one in wanted)


def _above(name: str) -> list[str]:
    found = []
    while "/" in name:
        name = name.rpartition("/")[0]
        found.append(name)
    return found
