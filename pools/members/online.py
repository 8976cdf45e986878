"""pool.online: use a member again."""

from __future__ import annotations

import msgspec

from host.commands.pools.members import ZpoolOnline
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.members.places import Text, asked_for, claims, is_spare, named, said, writable


class OnlineMember(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Use a member again that rested or was away. It catches up with what was written meanwhile."""

    name: Text
    vdev: Text  # guid of a leaf


def plan(request: OnlineMember, inventory: Inventory) -> Plan:
    """Raises `Refused` where it works already, is not here, or has to be cleared or replaced instead."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    place = asked_for(pool, request.vdev, findings)
    leaf = place.vdev
    if not place.leaf:
        findings.refuse("not-a-disk", "vdev", f"{leaf.name} is not a disk. Name one of its members.")
    if is_spare(pool, leaf.guid):
        findings.refuse("is-a-spare", "vdev", "To use a spare, replace a member with it.")
    match leaf.state:
        case "ONLINE":
            findings.refuse("already-online", "vdev", "It is online already.")
        case "FAULTED" | "DEGRADED":
            message = (
                "ZFS faulted it because it failed too often. Clear its errors to try again, or replace it."
            )
            findings.refuse("faulted", "vdev", message)
    if leaf.disk is None:
        message = f"{said(leaf, inventory)} is not in this machine. Put it back, or replace it."
        findings.error("disk-missing", "vdev", message)
    findings.refuse_on_error()
    findings.info("catches-up", "vdev", "It is resilvered with what was written while it was offline.")
    command = ZpoolOnline(name=pool.name, vdev=leaf.guid)
    return Plan(
        operation="pool.online",
        steps=(Step(title=f"Bring {said(leaf, inventory)} online", commands=(command,)),),
        summary=(f"{pool.name} uses {named(leaf, inventory)} again and resilvers what it missed."),
        takes=f"minutes, or hours if a lot was written; {pool.name} stays usable",
        findings=findings.all(),
        claims=claims(pool, leaf.disk),
    )
