"""Pools that stand still: the first thing to be reported, whatever else is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alerts import remedy
from alerts.incidents.absent import missing as gone
from alerts.incidents.cause import Cause
from alerts.incidents.members import Member
from alerts.remedy import Remedy
from host.inventory import Pool

_WELL = {"ONLINE", "AVAIL", "INUSE"}


def causes(members: Sequence[Member]) -> Iterator[Cause]:
    """One for each pool that can be neither read nor written."""
    pools = {member.pool.guid: member.pool for member in members}
    for pool in pools.values():
        if pool.health in {"suspended", "faulted"}:
            yield _cause(pool, [member for member in members if member.pool.guid == pool.guid])


def _cause(pool: Pool, members: Sequence[Member]) -> Cause:
    # ZFS cannot note what left after it stopped: its states are of before, and only the machine knows.
    bad = [
        member
        for member in members
        if (member.leaf.state not in _WELL or gone(member)) and not member.dispensable
    ]
    suspended = pool.suspended
    missing = [member for member in bad if member.disk is None]
    word = "suspended" if suspended else "faulted"
    report = [
        "Reading and writing have stopped, and programs that use it are waiting. What was written in the "
        "last seconds is only in this machine's memory: do not turn it off."
        if suspended
        else "ZFS cannot use it: too much of it is missing or damaged.",
        *(f"{m.name} is {'gone' if m.disk is None else m.leaf.state.lower()}." for m in bad),
    ]
    if not bad and all(member.disk is not None for member in members):
        report.append("All of its disks respond again.")
    return Cause(
        key=f"pool:{pool.guid}",
        kind="pool-suspended" if suspended else "pool-faulted",
        severity="critical",
        impact=2,
        pool=pool.name,
        pool_guid=pool.guid,
        title=f"{pool.name} is {word}" + (": its disks are gone" if missing else ""),
        details=tuple(report),
        steps=tuple(_steps(pool, members, bad, missing)),
        subjects=(f"pool:{pool.guid}", *(member.subject for member in bad)),
        spots=tuple(member.spot for member in bad if member.spot),
        since=max((member.gone_since for member in missing if member.gone_since), default=None),
    )


def _steps(
    pool: Pool, members: Sequence[Member], bad: Sequence[Member], missing: Sequence[Member]
) -> Iterator[Remedy]:
    controllers = {member.controller for member in missing}
    answering = {member.controller for member in members if member.disk is not None}
    if len(missing) > 1 and len(controllers) == 1 and not controllers & (answering | {None}):
        yield Remedy(
            words=f"All missing disks are on {controllers.pop()}: first check the cable, the card and the "
            "power that they share."
        )
    if missing:
        where = ", ".join(member.short for member in missing)
        yield Remedy(words=f"Put the disks back where they were: {where}. Press them in until they lock.")
    for member in bad:
        if member.disk is not None:
            yield remedy.locate(member.disk)
    if pool.suspended:
        yield remedy.clear(
            pool.name, None, "When the disks are back, clear the pool: waiting programs then continue."
        )
        yield Remedy(words="Then scrub it, so that everything is read and repaired.")
    else:
        yield Remedy(
            words="Export it, and import it again when all of its disks are back.",
            page="/pools/",
            label="Pools",
        )
