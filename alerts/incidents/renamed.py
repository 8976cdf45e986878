"""Pools that know their disks by links that are no longer made: the disks are here under other names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from alerts.incidents.cause import Cause
from alerts.incidents.members import GONE, WELL, Member
from alerts.remedy import Remedy
from host.inventory import Inventory, Pool


def causes(members: Sequence[Member], inventory: Inventory) -> Iterator[Cause]:
    """One for each pool that has such members."""
    groups: dict[str, list[Member]] = defaultdict(list)
    for member in renamed(members, inventory):
        groups[member.pool.guid].append(member)
    for group in groups.values():
        yield _cause(group[0].pool, group)


def renamed(members: Sequence[Member], inventory: Inventory) -> Iterator[Member]:
    """Those that are missed while a disk with their very label is here under another name."""
    labels = {claim.vdev_guid for disk in inventory.disks for claim in disk.claims}
    for member in members:
        if member.disk is None and member.leaf.state in GONE | WELL and member.leaf.guid in labels:
            yield member


def _cause(pool: Pool, group: Sequence[Member]) -> Cause:
    names = ", ".join(member.leaf.path or member.leaf.name for member in group)
    title = "looks for disks under names that no longer exist"
    return Cause(
        key=f"links:{pool.guid}", kind="link-vanished", severity="critical", pool=pool.name,
        pool_guid=pool.guid,
        title=f"{pool.name} is suspended: it {title}" if pool.suspended else f"{pool.name} {title}",
        details=(
            f"The disks are present, but the names that the pool knows them by no longer exist: {names}.",
            "That happens when a system update creates different links. Nothing on the disks is lost.",
        ),
        steps=(
            Remedy(
                words="Export the pool and import it by stable names.",
                operation="pool.relink", request={"name": pool.name},
            ),
        ),
        subjects=tuple(member.subject for member in group),
    )  # fmt: skip
