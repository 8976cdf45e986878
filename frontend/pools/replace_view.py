"""A replacement from its first thought to the old disk in one's hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from frontend.bays.lights import Spot
from frontend.bays.vdevs import absent_leaves, leaf_name
from frontend.states import StateView, vdev_state
from frontend.units import moment, roughly
from host.inventory import Inventory, Pool, Scan, Vdev, leaves
from host.inventory.redundancy import resilvering
from jobs.models import Job, State
from pools.members.candidates import Candidate
from pools.members.places import MemberPosition, disk_said, find, is_spare
from pools.members.replace import healthy, source_fault

_TOLD_FOR = timedelta(days=30)


class End(msgspec.Struct, frozen=True, kw_only=True):
    """One end of a replacement: where it is and what it is."""

    guid: str
    bay: str
    name: str  # model and serial
    size_bytes: int
    spot: Spot | None  # None: it is not in the machine
    state: StateView
    works: bool
    errors: int


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """A disk that is being copied, or stood in for."""

    old: End
    new: End
    spare: bool
    words: str


class Finished(msgspec.Struct, frozen=True, kw_only=True):
    """A replacement that has ended: what may leave the case."""

    old: str  # empty where it had left before the copy began
    new: str
    bay: str
    spot: Spot | None  # None: it has left already
    ended: str | None


def end_of(leaf: Vdev, inventory: Inventory) -> End:
    """The leaf with its disk, here or gone."""
    disk = inventory.disk(leaf.disk) if leaf.disk else None
    known = disk or absent_leaves(inventory).get(leaf.guid)
    return End(
        guid=leaf.guid,
        bay=(known.bay if known else None) or "",
        name=leaf_name(leaf, known),
        size_bytes=disk.size_bytes if disk else leaf.size_bytes,
        spot=Spot(id=disk.id, bay=disk.bay) if disk else None,
        state=vdev_state(leaf),
        works=healthy(leaf, inventory),
        errors=leaf.read_errors + leaf.write_errors + leaf.checksum_errors,
    )


def replaceable(pool: Pool) -> tuple[MemberPosition, ...]:
    """All members that another disk could take the place of, those first that need it."""
    places = [
        place
        for top in pool.vdevs
        if top.role not in {"spare", "cache"}
        for leaf in leaves(top)
        if (place := find(pool, leaf.guid)) and source_fault(pool, place) is None
    ]
    return tuple(sorted(places, key=lambda place: _need(place.vdev)))


def preselected(pool: Pool, inventory: Inventory) -> MemberPosition | None:
    """The member that failed, if there is one."""
    return next((place for place in replaceable(pool) if not healthy(place.vdev, inventory)), None)


def likely(place: MemberPosition | None, candidates: Sequence[Candidate], inventory: Inventory) -> str:
    """The id of the disk that was put in for a member: the one in its bay, else the only one that is new in a
    bay, else the only one there is. Empty where that is not plain; none that is not well or holds data."""
    if place is None:
        return ""
    bay = end_of(place.vdev, inventory).bay
    fresh = {bay.disk for bay in inventory.bays if bay.fresh}
    plain = [one.disk for one in candidates if not (one.why or one.spare or one.holds or one.unwell)]
    for found in (
        [disk for disk in plain if bay and disk.bay == bay],
        [disk for disk in plain if disk.id in fresh],
        plain,
    ):
        if len(found) == 1:
            return found[0].id
    return ""


def running(pool: Pool, inventory: Inventory) -> tuple[Running, ...]:
    """What is being replaced, or stood in for by a spare."""
    return tuple(
        Running(
            old=end_of(node.children[0], inventory),
            new=end_of(node.children[-1], inventory),
            spare=is_spare(pool, node.children[-1].guid),
            words=progress(pool),
        )
        for top in pool.vdevs
        for node in _nodes(top)
        if node.kind in {"replacing", "spare"} and not node.children[0].children
    )


def progress(pool: Pool) -> str:
    """`37.2 %, about 4 h left`, or that the copy is complete."""
    scan = pool.scan
    if scan is None or not resilvering(pool):
        return "copied"
    left = _left_s(scan)
    percent = f"{scan.percent:.1f} %" if scan.percent is not None else "running"
    return f"{percent}, {roughly(left)} left" if left is not None else percent


def finished(pool: Pool, inventory: Inventory) -> tuple[Finished, ...]:
    """The replacements of this pool that ended, newest first, by the jobs that began them."""
    since = datetime.now(UTC) - _TOLD_FOR
    jobs = Job.objects.filter(operation="pool.replace", state=State.SUCCEEDED, finished_at__gte=since)
    found = []
    for job in jobs.order_by("-id")[:20]:
        if job.request.get("name") != pool.name or find(pool, str(job.request.get("vdev"))):
            continue
        new = inventory.disk(str(job.request.get("disk")))
        disks = [claim.removeprefix("disk:") for claim in job.plan["claims"] if claim.startswith("disk:")]
        old = next((name for name in disks if new is None or name not in new.links), "")
        disk = inventory.disk(old) if old else None
        if disk is not None and disk.in_use:
            continue
        name = f"{disk.model} {disk.serial or ''}".strip() if disk else old
        found.append(
            Finished(
                old=name, new=disk_said(new) if new else "The new disk",
                bay=(disk.bay if disk else None) or "",
                spot=Spot(id=disk.id, bay=disk.bay) if disk else None,
                ended=pool.scan.finished if pool.scan else None,
            )
        )  # fmt: skip
    return tuple(found)


def _left_s(scan: Scan) -> float | None:
    """From the speed of the present pass; None before that says anything."""
    since, now = moment(scan.pass_started), datetime.now(UTC)
    if since is None or scan.pass_issued_bytes <= 0:
        return None
    took = (now - since).total_seconds()
    todo = scan.total_bytes - scan.issued_bytes - scan.skipped_bytes
    return max(0.0, todo * took / scan.pass_issued_bytes) if took > 0 else None


def _need(leaf: Vdev) -> int:
    errors = leaf.read_errors + leaf.write_errors + leaf.checksum_errors
    return (
        0 if leaf.state not in {"ONLINE", "OFFLINE"} else 1 if leaf.state == "OFFLINE" else 2 if errors else 3
    )


def _nodes(vdev: Vdev) -> Iterator[Vdev]:
    for child in vdev.children:
        if child.children:
            yield child
            yield from _nodes(child)
