"""pool.offline: let a member rest."""

from __future__ import annotations

import msgspec

from host.commands.pools.members import ZpoolOffline
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from pools.members.places import Text, asked_for, claims, is_spare, named, said, writable
from pools.members.tolerance import check_lowered, failures_left, stopped


class OfflineMember(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Stop using a member until it is brought online again, also after a restart."""

    name: Text
    vdev: Text  # guid of a leaf
    confirm: Text | None = None  # the same guid, where no further failure would be survived


def plan(request: OfflineMember, inventory: Inventory) -> Plan:
    """Raises `Refused` where the pool cannot do without it, or where that has to be confirmed."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    place = asked_for(pool, request.vdev, findings)
    leaf = place.vdev
    if not place.leaf:
        message = f"{leaf.name} is not a disk. Name one of its members."
        findings.refuse("not-a-disk", "vdev", message)
    if is_spare(pool, leaf.guid):
        message = "A spare cannot be taken offline. Remove it from the pool, or detach it where it is in use."
        findings.refuse("is-a-spare", "vdev", message)
    if leaf.state == "OFFLINE":
        findings.refuse("already-offline", "vdev", "It is offline already.")
    undone = "When it is brought online again, it is resilvered with what has been written since."
    check_lowered(
        pool, place.top, stopped(place.top, leaf.guid), findings,
        confirm=request.confirm, typed=leaf.guid, undone=undone,
    )  # fmt: skip
    if any(vdev.role == "spare" for vdev in pool.vdevs):
        findings.info(
            "no-spare", "vdev", "A spare does not take over for a disk that was taken offline by hand."
        )
    findings.refuse_on_error()
    command = ZpoolOffline(name=pool.name, vdev=leaf.guid)
    return Plan(
        operation="pool.offline",
        steps=(Step(title=f"Take {said(leaf, inventory)} offline", commands=(command,)),),
        summary=sentences(
            (
                f"{pool.name} continues without {named(leaf, inventory)}, also after a restart, until you "
                "bring that disk online again."
            ),
            failures_left(pool, stopped(place.top, leaf.guid)),
        ),
        findings=findings.all(),
        claims=claims(pool, leaf.disk),
    )
