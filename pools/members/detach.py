"""pool.detach: take a disk out of a mirror, or one of two out of a replacement or a spare in use."""

from __future__ import annotations

import msgspec

from host.commands.pools.members import ZpoolDetach
from host.inventory import Inventory, Pool, Vdev
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import listed
from pools.members.places import (
    MemberPosition,
    Text,
    asked_for,
    check_calm,
    claims,
    is_spare,
    named,
    said,
    writable,
)
from pools.members.tolerance import check_lowered, detached, failures_left


class DetachMember(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a disk out of its pool. Of a spare in use, the one of the two that stays is kept for good."""

    name: Text
    vdev: Text  # guid of a leaf
    confirm: Text | None = None  # the same guid, where no further failure would be survived


def plan(request: DetachMember, inventory: Inventory) -> Plan:
    """Raises `Refused` where it cannot leave, or where that has to be confirmed."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    place = asked_for(pool, request.vdev, findings)
    leaf = place.vdev
    _check_place(pool, place, findings)
    check_calm(pool, findings)
    check_lowered(
        pool, place.top, detached(place.top, leaf.guid), findings,
        confirm=request.confirm, typed=leaf.guid, undone="Attach a disk to undo this: it is copied in full.",
    )  # fmt: skip
    findings.info(*_meaning(pool, place))
    findings.refuse_on_error()
    command = ZpoolDetach(name=pool.name, vdev=leaf.guid)
    return Plan(
        operation="pool.detach",
        steps=(Step(title=f"Detach {said(leaf, inventory)}", commands=(command,)),),
        summary=_summary(pool, place, inventory),
        findings=findings.all(),
        claims=claims(pool, leaf.disk),
    )


def _summary(pool: Pool, place: MemberPosition, inventory: Inventory) -> str:
    leaf, parent = place.vdev, place.parent
    others = [child for child in parent.children if child is not leaf] if parent else []
    stay = listed([named(child, inventory) for child in others])
    left = failures_left(pool, detached(place.top, leaf.guid))
    gone = named(leaf, inventory, "The disk")
    if parent is None or parent.kind == "mirror":
        return sentences(f"{gone} leaves {pool.name}, and the copy on it can no longer be used.", left)
    if parent.kind == "replacing" and parent.children[-1] is leaf:
        new = named(leaf, inventory)
        return f"The replacement is cancelled: {stay} stays in {pool.name}, and {new} leaves."
    if parent.kind == "replacing":
        return sentences(f"{gone} leaves {pool.name} at once, and {stay} takes its place alone.", left)
    if is_spare(pool, leaf.guid):
        gone = named(leaf, inventory, "The spare")
        return sentences(f"{gone} no longer replaces {stay} and is available for the next failure.", left)
    spare = named(others[-1], inventory, "the spare")
    return sentences(
        f"{gone} leaves {pool.name}, and {spare} takes its place for good.", _spares_left(pool, others[-1])
    )


def _spares_left(pool: Pool, used: Vdev) -> str:
    waiting = sum(vdev.role == "spare" and vdev.guid != used.guid for vdev in pool.vdevs)
    return "" if waiting else f"{pool.name} then has no spare."


def _check_place(pool: Pool, place: MemberPosition, findings: Findings) -> None:
    leaf, parent = place.vdev, place.parent
    if parent is not None and place.leaf and parent.kind in {"mirror", "replacing", "spare"}:
        return
    if leaf.children:
        message = f"{leaf.name} is not a disk. Name one of its members, or remove the whole vdev."
    elif parent is not None:
        message = f"A disk cannot be detached from {parent.name}. It can only be replaced or taken offline."
    elif leaf.role in {"spare", "cache", "log"}:
        message = f"A {leaf.role} is removed, not detached."
    else:
        message = "It is a vdev of its own. Remove that vdev, and its data moves to the others."
    findings.refuse("cannot-be-detached", "vdev", message)


def _meaning(pool: Pool, place: MemberPosition) -> tuple[str, str, str]:
    leaf, parent = place.vdev, place.parent
    kind = parent.kind if parent else ""
    if kind == "spare" and is_spare(pool, leaf.guid):
        return "spare-returns", "vdev", "The spare is released and is available for the next failure."
    if kind == "spare":
        message = "The spare becomes a permanent member and is no longer a spare. Add another one."
        return "spare-stays", "vdev", message
    if kind == "replacing":
        if parent is not None and parent.children[-1] is leaf:
            return "replacement-off", "vdev", "The replacement is cancelled; the old disk stays."
        return "replacement-ends", "vdev", "The replacement is completed with the new disk alone."
    message = "What is on it can no longer be used: it cannot be imported as a pool of its own afterwards."
    return "no-pool-of-its-own", "vdev", message
