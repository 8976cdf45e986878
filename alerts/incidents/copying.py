"""Replications whose copies grew old or whose runs fail, and disks that may be unplugged."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.evidence import Evidence, ReplicationCare, UnpluggableDisk, WaitingDisk
from alerts.incidents.cause import Cause, Spot
from alerts.remedy import Remedy
from replication.links import target_href


def causes(memory: Evidence) -> Iterator[Cause]:
    """One for each replication in trouble: that its copies differ matters more than that they are old, and
    that more than that a run failed."""
    for care in memory.replications:
        if care.differs:
            yield _different(care)
        elif care.late:
            yield _late(care)
        elif care.failing:
            yield _failing(care)
    for disk in memory.unpluggable:
        yield _done(disk)
    for waiting in memory.waiting_disks:
        yield _waits(waiting)


def _different(care: ReplicationCare) -> Cause:
    meaning = (
        "It may be worth nothing when it is needed. Somebody wrote to it, or a disk or the memory of either "
        "machine damaged it or the source."
    )
    return Cause(
        key=f"replica-different:{care.id}", kind="replica-different", severity="critical",
        title=f"{care.source}: the copy on {care.target} is not the same",
        details=(care.differs, meaning),
        steps=(
            _page(care, "See which datasets differ, scrub the pools of both sides, and replicate them anew."),
        ),
        subjects=(f"replication:{care.id}",),
    )  # fmt: skip


def _late(care: ReplicationCare) -> Cause:
    newest = "There is no copy yet." if care.age is None else f"The newest copy is {care.age} old."
    return Cause(
        key=f"replication-late:{care.id}", kind="replication-late", severity="warning",
        title=f"{care.source}: the copy on {care.target} is older than it should be",
        details=(f"{newest} It should be no older than {care.aim}.", *((care.said,) if care.said else ())),
        steps=(_page(care, "See what keeps it, and run it again."),),
        subjects=(f"replication:{care.id}",),
    )  # fmt: skip


def _failing(care: ReplicationCare) -> Cause:
    newest = "There is no copy yet." if care.age is None else f"The newest copy is {care.age} old."
    return Cause(
        key=f"replication-failed:{care.id}", kind="replication-failed", severity="warning",
        title=f"{care.source}: the last replication to {care.target} did not come through",
        details=(care.said or "Its page says why.", newest),
        steps=(_page(care, "See what is in the way, and run it again."),),
        subjects=(f"replication:{care.id}",), since=care.since,
    )  # fmt: skip


def _page(care: ReplicationCare, words: str) -> Remedy:
    return Remedy(words=words, page=f"/replication/{care.id}/", label=care.name)


def _done(disk: UnpluggableDisk) -> Cause:
    where = f"bay {disk.bay}" if disk.bay else disk.disk
    return Cause(
        key=f"may-unplug:{disk.id}", kind="may-unplug", severity="info",
        title=f"You may unplug {disk.target} ({where})",
        details=(disk.said, "Its pool is exported: nothing is written to it any more."),
        steps=(Remedy(words=f"Take the disk in {where} out, and keep it somewhere else."),),
        subjects=(f"target:{disk.id}",), spots=(Spot(id=disk.disk, bay=disk.bay),),
    )  # fmt: skip


def _waits(disk: WaitingDisk) -> Cause:
    return Cause(
        key=f"rotation-blocked:{disk.id}", kind="rotation-blocked", severity="warning",
        title=f"{disk.target} is plugged in and cannot be brought up to date",
        details=(disk.said, "It goes on by itself once that is mended. Do not unplug it before."),
        steps=(Remedy(words="See its state.", page=target_href(disk.id), label=disk.target),),
        subjects=(f"target:{disk.id}",), sure=False,
    )  # fmt: skip
