"""Every leaf of every pool, with all that is known of the disk that is, or was, behind it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from alerts import remedy
from alerts.evidence import Evidence, KnownDisk
from alerts.incidents.cause import Impact, Severity, Spot
from alerts.remedy import Remedy
from host.inventory import Disk, Inventory, Pool, Vdev, leaves
from host.inventory.redundancy import behind, resilvering, survives

GONE = {"REMOVED", "UNAVAIL"}
WELL = {"ONLINE", "AVAIL"}
_CONTROLLER = re.compile(r"(pci-[0-9a-fA-F:.]+(?:-sas-exp0x[0-9a-fA-F]+)?)")


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A leaf in its pool. `disk` is the one that is here now, under whatever name."""

    pool: Pool
    top: Vdev
    leaf: Vdev
    disk: Disk | None
    memory: KnownDisk | None
    newcomer: Disk | None = None  # a disk that nothing uses and that is certainly in its place now

    @property
    def bay(self) -> str | None:
        """Where it sits, or sat last."""
        return (self.disk.bay if self.disk else None) or (self.memory.bay if self.memory else None)

    @property
    def controller(self) -> str | None:
        """What it shares with its neighbours: the PCI function, and the SAS expander behind that."""
        port = (self.disk.port if self.disk else None) or (self.memory.port if self.memory else None)
        found = _CONTROLLER.match(port or "")
        return found[1] if found else None

    @property
    def name(self) -> str:
        """`Bay A3 (WDC WD30EFRX, serial WD-0003)`."""
        known = self.disk or self.memory
        what = f"{known.model}, serial {known.serial or 'unknown'}" if known else self.leaf.link
        return f"Bay {self.bay} ({what})" if self.bay else what

    @property
    def short(self) -> str:
        """`Bay A3`, else its serial."""
        known = self.disk or self.memory
        return f"Bay {self.bay}" if self.bay else (known.serial if known else None) or self.leaf.link

    @property
    def spot(self) -> Spot | None:
        """The disk, for the button that locates it."""
        known = self.disk or self.memory
        return Spot(id=known.id, bay=self.bay, here=self.disk is not None) if known else None

    @property
    def dispensable(self) -> bool:
        """Whether its pool loses nothing with it."""
        return self.top.role in {"spare", "cache"}

    @property
    def loss(self) -> tuple[Severity, Impact]:
        """How serious it is when it is out."""
        return ("warning", 0) if self.dispensable else ("critical", 1)

    @property
    def subject(self) -> str:
        """What an incident of it is about."""
        return f"leaf:{self.leaf.guid}"

    @property
    def gone_since(self) -> str | None:
        """When its disk was first found missing, where it is missing."""
        return self.memory.gone_since if self.memory and self.disk is None else None


def all_members(inventory: Inventory, memory: Evidence) -> tuple[Member, ...]:
    """In the order of zpool status, spares included.

    Not the distributed ones of a dRAID, which are a share of members that are here themselves.
    """
    by_link = {name: disk for disk in inventory.disks for name in disk.links}
    known = {name: one for one in memory.disks.values() for name in one.names} | memory.disks
    return tuple(
        _member(pool, top, leaf, by_link, inventory, known)
        for pool in inventory.pools
        for top in pool.vdevs
        for leaf in leaves(top)
        if leaf.kind != "dspare"
    )


def redundancy_words(member: Member) -> str:
    """`raidz2-0 survives 1 more failure.`"""
    if member.dispensable:
        return f"Nothing is lost with a {member.top.role}: {member.pool.name} works without it."
    left = survives(member.top, behind(member.pool))
    name = member.top.name if member.top.children else "It"
    if left > 0:
        return f"{name} survives {left} more failure{'' if left == 1 else 's'}."
    return f"{name} {'survives no further failure' if left == 0 else 'lost more disks than it survives'}."


def replacing(member: Member, words: str) -> tuple[Remedy, ...]:
    """How another disk takes its place. ZFS replaces neither a cache nor a spare: it is removed."""
    pool = member.pool.name
    if not member.dispensable:
        return (remedy.replace(pool, member.leaf.guid, words),)
    return (
        Remedy(
            words=f"Remove it from {pool}.",
            operation="pool.remove",
            request={"name": pool, "vdev": member.leaf.guid},
        ),
        remedy.of_pool(pool, f"Then add another {member.top.role}.", "Add a vdev", "add/"),
    )


def stand_in_words(member: Member) -> str | None:
    """What the hot spare does that took over for this leaf; None where there is none."""
    for node in _nodes(member.top):
        if node.kind == "spare" and any(child.guid == member.leaf.guid for child in node.children):
            others = [child for child in node.children if child.guid != member.leaf.guid]
            if not others or member.leaf.guid == node.children[-1].guid:
                return None
            if not resilvering(member.pool):
                return f"The spare {others[-1].link} has taken over for it."
            percent = member.pool.scan.percent if member.pool.scan else None
            how_far = f": {percent:.1f} % are written" if percent is not None else ""
            return f"The spare {others[-1].link} took over and is being written{how_far}."
    return None


def _nodes(top: Vdev) -> list[Vdev]:
    return [top, *(below for child in top.children for below in _nodes(child))]


def _member(
    pool: Pool,
    top: Vdev,
    leaf: Vdev,
    by_link: dict[str, Disk],
    inventory: Inventory,
    known: Mapping[str, KnownDisk],
) -> Member:
    name = leaf.link
    disk = by_link.get(leaf.disk or name)
    memory = known.get(disk.id if disk else name)
    newcomer = _newcomer(memory, inventory) if disk is None and memory else None
    return Member(pool=pool, top=top, leaf=leaf, disk=disk, memory=memory, newcomer=newcomer)


def _newcomer(left: KnownDisk, inventory: Inventory) -> Disk | None:
    """The order of the ports says which label a bay has now, and not that a disk is where another one was."""
    guessed = {bay.disk for bay in inventory.bays if bay.known_by == "order"}
    for disk in inventory.disks:
        here, there = (disk.port, left.port) if disk.id in guessed else (disk.bay, left.bay)
        if here and here == there and not disk.in_use:
            return disk
    return None
