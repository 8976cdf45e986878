"""How a plan compares what a vdev survives before and after, and asks where nothing would be survived."""

from __future__ import annotations

import msgspec

from host.inventory import Pool, Vdev
from host.inventory.redundancy import VITAL, behind, resilvering, survives
from jobs.planning.findings import Findings


def stopped(vdev: Vdev, guid: str) -> Vdev:
    """`vdev` as it is when one of its leaves is taken offline."""
    if vdev.guid == guid:
        return msgspec.structs.replace(vdev, state="OFFLINE")
    children = tuple(stopped(child, guid) for child in vdev.children)
    return msgspec.structs.replace(vdev, children=children)


def detached(vdev: Vdev, guid: str) -> Vdev:
    """`vdev` as it is when one of its leaves has left; who is alone then takes its parent's place."""
    children = tuple(detached(child, guid) for child in vdev.children if child.guid != guid)
    if len(children) == 1 and len(vdev.children) > 1:
        return children[0]
    return msgspec.structs.replace(vdev, children=children)


def check_lowered(
    pool: Pool, before: Vdev, after: Vdev, findings: Findings, *, confirm: str | None, typed: str, undone: str
) -> None:
    """Refuses what would make a top-level vdev unreadable, warns of what weakens it, and asks for `typed` in
    the field `confirm` where no further failure would be survived. `undone` tells the way back."""
    late = behind(pool)
    now, then = survives(before, late), survives(after, late)
    if before.role not in VITAL or then >= now:
        return
    if then < 0:
        message = f"{before.name} depends on it: no other disk has all of its data now."
        if resilvering(pool):
            message += " A resilver is running; try again when it has finished."
        findings.error("no-valid-replicas", "vdev", message)
        return
    rest = f"{then} further failure{'' if then == 1 else 's'}" if then else "no further failure"
    message = f"{before.name} survives {now} further failure{'' if now == 1 else 's'} now and {rest} then."
    findings.warning("less-redundancy", "vdev", f"{message} {undone}")
    if then == 0:
        ask(findings, confirm=confirm, typed=typed, why=f"{before.name} would survive no further failure.")


def failures_left(pool: Pool, after: Vdev) -> str:
    """What `after` survives once the plan is done, for summaries; empty where no data depends on it."""
    if after.role not in VITAL:
        return ""
    then = survives(after, behind(pool))
    if then < 1:
        which = f"another disk in {after.name}" if after.children else "the disk that is left"
        return f"If {which} fails then, all of {pool.name} is lost."
    return f"{after.name} then survives {then} further failure{'' if then == 1 else 's'}."


def ask(findings: Findings, *, confirm: str | None, typed: str, why: str) -> None:
    """Refuses unless the request repeats `typed` in its field `confirm`."""
    if confirm != typed:
        code = "confirmation-missing" if confirm is None else "confirmation-wrong"
        findings.error(code, "confirm", f"{why} If that is intended, give “{typed}” in the field confirm.")
