"""Inventories that let a plan read nothing but what its operation needs (`Operation.facts`).

The worker reads these families anew, and the others may be some seconds old: a plan that read one of them
would be made on facts that nobody vouches for. Here it ends the test, whatever catches errors on the way.
"""

from __future__ import annotations

from typing import Any

import msgspec

import nasweb.host
from host.base import Host
from host.families import EVERYTHING, NOTHING, Families, Family, widened
from host.inventory import Inventory, Pool, Vdev

FIELDS = {
    Family.DISKS: ("disks", "arrays", "enclosures", "units", "bays", "gone"),
    Family.POOLS: ("pools",),
    Family.DATASETS: ("datasets", "keeping"),
    Family.SHARES: ("served",),
    Family.PEOPLE: ("accounts",),
    Family.NAMES: ("naming",),
    Family.NETWORK: ("network",),
    Family.SYSTEM: ("boot", "swap", "arc", "moved"),
}
# Of the database alone; put in place for a plan that asks for it; or older on purpose (`host.probe.lasting`).
OTHERS = (
    "as_of",
    "facts",
    "chassis",
    "snapshots",
    "schedules",
    "sharing",
    "replicating",
    "rewrites",
    "backups",
    "importable",
    "answers",
)


class Undeclared(BaseException):
    """A plan read a family of facts that its operation does not need."""


class Unread:
    """Stands for facts that nobody may read."""

    def __init__(self, what: str) -> None:
        object.__setattr__(self, "_what", what)

    def __repr__(self) -> str:
        return f"<{object.__getattribute__(self, '_what')}, not needed>"


def _refuse(self: Unread, *_: Any) -> Any:
    raise Undeclared(f"This reads {self!r}: the operation's row must say so (`facts`).")


for _name in (
    "getattr", "iter", "len", "bool", "eq", "ne", "hash", "getitem", "contains", "str", "or", "ror", "add",
    "radd", "lt", "gt", "le", "ge",
):  # fmt: skip
    setattr(Unread, f"__{_name}__", _refuse)


def take_inventory(host: Host, fresh: Families = EVERYTHING) -> Inventory:
    """As `nasweb.host` does, for a plan without all that is not `fresh`. After a job nothing is asked for."""
    inventory = nasweb.host.take_inventory(host, fresh)
    return inventory if fresh == NOTHING else only(inventory, fresh)


def only(inventory: Inventory, needs: Families) -> Inventory:
    """`inventory` in which nothing but `needs` can be read."""
    needs = widened(needs)
    hidden = {name: Unread(name) for family in EVERYTHING - needs for name in FIELDS[family]}
    facts = inventory.facts
    if Family.NAMES not in needs:
        facts = msgspec.structs.replace(facts, name=Unread("the machine's name"))
    if Family.POOLS not in needs:
        facts = msgspec.structs.replace(facts, boot_import=Unread("how pools come back"))
        hidden["schedules"] = Unread("schedules, which pools have from the start")
    elif Family.DISKS not in needs:
        hidden["pools"] = tuple(_without_disks(pool) for pool in inventory.pools)  # type: ignore[assignment]
    return msgspec.structs.replace(inventory, facts=facts, **hidden)


def _without_disks(pool: Pool) -> Pool:
    return msgspec.structs.replace(pool, vdevs=tuple(_without_disk(vdev) for vdev in pool.vdevs))


def _without_disk(vdev: Vdev) -> Vdev:
    children = tuple(_without_disk(child) for child in vdev.children)
    return msgspec.structs.replace(vdev, children=children, disk=Unread("which disk a leaf lies on"))
