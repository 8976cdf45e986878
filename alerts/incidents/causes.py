"""Derives the causes of incidents from the inventory and what is remembered of the machine. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from alerts import remedy
from alerts.evidence import Evidence
from alerts.incidents import (
    absent,
    arrays,
    backups,
    clockwork,
    copying,
    ecc,
    failing,
    full,
    heat,
    moved,
    renamed,
    reported,
    room,
    silent,
    slow,
    suspended,
)
from alerts.incidents.cause import RANKS, Cause
from alerts.incidents.members import Member, all_members
from alerts.incidents.withheld import DAMAGED
from alerts.remedy import Remedy
from host.inventory import Inventory, Pool
from host.inventory.bays import guessed


def causes(inventory: Inventory, memory: Evidence) -> tuple[Cause, ...]:
    """All causes, worst first. What one cause explains is not reported again by another."""
    members = all_members(inventory, memory)
    found: list[Cause] = []
    report: set[str] = set()
    for cause in (*_in_order(members, inventory), *slow.causes(memory), *reported.causes(members, memory)):
        # A suspended pool's cause covers its members; so does that of a group of disks that went together.
        if not any(subject in report for subject in cause.subjects):
            found.append(cause)
            report.update(cause.subjects)
    found += _unexplained(inventory, {cause.pool_guid for cause in found})
    found += full.causes(inventory, memory)
    found += arrays.causes(inventory, memory)
    found += moved.causes(inventory)
    found += clockwork.causes(inventory, memory)
    found += copying.causes(memory)
    found += silent.causes(memory)
    found += room.causes(memory)
    found += ecc.causes(memory)
    found += heat.causes(inventory, memory)
    found += backups.causes(memory)
    found.sort(key=lambda cause: (not cause.key.startswith("pool:"), RANKS[cause.severity]))
    unsure = guessed(inventory.bays, inventory.chassis)
    return tuple(_with_doubt(cause, unsure) for cause in found)


def _with_doubt(cause: Cause, unsure: frozenset[str]) -> Cause:
    """Whoever pulls a disk by its bay must know that the bay is only guessed."""
    bays = [spot.bay for spot in cause.spots if spot.bay in unsure and spot.bay]
    if not bays:
        return cause
    where = f"Bay {bays[0]} is" if len(bays) == 1 else f"Bays {', '.join(bays)} are"
    line = (
        f"{where} only guessed from the order of the ports: compare the serial number before you pull a disk."
    )
    return msgspec.structs.replace(cause, details=(*cause.details, line))


def _in_order(members: Sequence[Member], inventory: Inventory) -> Iterator[Cause]:
    yield from renamed.causes(members, inventory)
    yield from suspended.causes(members)
    yield from absent.causes(members)
    yield from failing.causes(members, inventory)
    for pool in inventory.pools:
        if pool.data_errors:
            yield _damaged(pool)


def _damaged(pool: Pool) -> Cause:
    files = pool.damaged_files
    count = max(pool.data_errors, len(files))
    named = [f"{DAMAGED}{name}" for name in files[:10]]
    more = [f"… and {len(files) - 10} more."] if len(files) > 10 else []
    return Cause(
        key=f"data:{pool.guid}", kind="data-damaged", severity="critical", extent=count,
        pool=pool.name, pool_guid=pool.guid,
        title=f"{pool.name}: {_files(count)} damaged",
        details=(
            f"{_files(count)} could not be repaired: no good copy is left in the pool.",
            *named, *more,
        ),
        steps=(
            Remedy(words="Restore these files from a snapshot or a backup, or delete them."),
            remedy.scrub(pool.name, "Then scrub twice: the list is cleared once they are intact or deleted."),
        ),
        subjects=(f"data:{pool.guid}",),
    )  # fmt: skip


def _files(count: int) -> str:
    return "1 file" if count == 1 else f"{count} files"


def _unexplained(inventory: Inventory, explained: set[str]) -> Iterator[Cause]:
    """A pool that is not healthy, and no cause above explains why: then in ZFS's own words."""
    for pool in inventory.pools:
        if pool.health in {"healthy", "suspended", "faulted"} or pool.guid in explained:
            continue
        said = [words for words in (pool.status, pool.action) if words]
        yield Cause(
            key=f"unexplained:{pool.guid}", kind="pool-degraded", severity="warning", pool=pool.name,
            pool_guid=pool.guid, title=f"{pool.name} is {pool.state.lower()}",
            details=(*(f"ZFS says: {words}" for words in said),) or ("ZFS does not say why.",),
            steps=(remedy.scrub(pool.name, "Scrub it, so that everything is read."),),
            subjects=(f"unexplained:{pool.guid}",),
        )  # fmt: skip
