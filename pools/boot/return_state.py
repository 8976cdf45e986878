"""boot.return-state: /var and /home come back to the system's own disk, or stay there."""

from __future__ import annotations

import msgspec

from host.commands.closed import AnyCommand
from host.commands.datasets.zfs import ZfsDestroy
from host.commands.system.moved_state import (
    ForgetState,
    OrderReturn,
    StopStateCopy,
    SyncState,
    WatchState,
    dataset_of,
)
from host.inventory import Inventory, MovedState
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings

_MARGIN_BYTES = 256 << 20


class ReturnState(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bring them back. With `as_here` what the pool holds is given up, and the machine goes on with what its
    own disk has: that is the way out when the pool is gone for good."""

    as_here: bool = False


def plan(request: ReturnState, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing was moved, and where there is no room."""
    findings = Findings()
    moved = inventory.moved
    if moved.phase == "none":
        findings.refuse("not-moved", "", "/var and /home are on the system disk.")
    if moved.phase in {"copying", "broken-off", "waiting", "failed"}:
        steps = _call_off(moved, inventory)
        return _plan(steps, _called_off(moved, deletes=len(steps) > 1), moved, findings)
    if moved.here:
        return _plan(_give_up(request, moved, findings), _given_up(moved), moved, findings)
    if request.as_here:
        message = "The machine uses what is on the pool. Leave this out to move that back."
        findings.refuse("in-use", "as_here", message)
    if moved.phase == "returning":
        findings.refuse("returning-already", "", "The next start moves them back already.")
    _check_room(moved, inventory, findings)
    findings.refuse_on_error()
    message = (
        "The next start copies back before anything else, then uses the system's own disk. Until that has "
        "ended the pool holds the state, and it stays there as a copy. What was written to the system's own "
        "disk in starts without the pool stays there, in folders called /var.before-… and /home.before-…."
    )
    findings.info("next-start", "", message)
    step = Step(title="Move them back at the next start", commands=(OrderReturn(), SyncState()))
    takes = "moments now; the next start takes longer than usual, to copy everything back"
    return _plan((step,), _brought_back(moved), moved, findings, takes=takes)


def _plan(
    steps: tuple[Step, ...], summary: str, moved: MovedState, findings: Findings, *, takes: str = ""
) -> Plan:
    lost = any(step.destroys for step in steps)
    return Plan(
        operation="boot.return-state",
        steps=steps,
        summary=summary,
        takes=takes,
        findings=findings.all(),
        claims=("boot:state", f"pool:{moved.pool}"),
        confirm=moved.pool if lost else None,
    )


def _called_off(moved: MovedState, *, deletes: bool) -> str:
    verb = "stays" if len(moved.folders) == 1 else "stay"
    copies = f" What was copied to {moved.pool} is deleted." if deletes else ""
    return f"{moved.named} {verb} on the system's own disk.{copies}"


def _given_up(moved: MovedState) -> str:
    since = f" since {moved.since[:10]}" if moved.since else ""
    return (
        f"The machine continues with {moved.named} from the system disk. What was written to "
        f"{moved.pool}{since} is no longer used, even when that pool is back."
    )


def _brought_back(moved: MovedState) -> str:
    are = "is" if len(moved.folders) == 1 else "are"
    return (
        f"At the next start {moved.named} {are} copied back from {moved.pool}, and the machine uses the "
        f"system's own disk again. Until then nothing changes. A copy stays on {moved.pool}."
    )


def _call_off(moved: MovedState, inventory: Inventory) -> tuple[Step, ...]:
    """Nothing has switched yet: only copies are given up."""
    forget: tuple[AnyCommand, ...] = (StopStateCopy(), ForgetState(), SyncState(), WatchState(on=False))
    steps = [Step(title="Keep using the system disk", commands=forget)]
    pool = next((one for one in inventory.pools if one.guid == moved.guid), None)
    if pool is not None and any(one.name == dataset_of(pool.name) for one in inventory.keeping):
        gone = ZfsDestroy(name=dataset_of(pool.name), recursive=True)
        steps.append(Step(title=f"Remove the copies on {pool.name}", commands=(gone,)))
    return tuple(steps)


def _give_up(request: ReturnState, moved: MovedState, findings: Findings) -> tuple[Step, ...]:
    if not request.as_here:
        message = (
            f"The pool {moved.pool} was not there at the last start, so nothing can be moved back from it. "
            "Put its disks back and restart, or choose to continue with what is on the system disk."
        )
        findings.refuse("pool-not-there", "as_here", message)
    since = f" since {moved.since}" if moved.since else ""
    message = (
        f"What was done{since} and is stored on {moved.pool} is no longer used, even when that pool comes "
        "back."
    )
    findings.warning("given-up", "as_here", message)
    loss = Loss(pool=moved.pool, holds=f"the machine's state{since}: no longer used, not erased")
    commands: tuple[AnyCommand, ...] = (ForgetState(), SyncState(), WatchState(on=False))
    return (Step(title="Continue with the system disk", commands=commands, destroys=(loss,)),)


def _check_room(moved: MovedState, inventory: Inventory, findings: Findings) -> None:
    # By its number: it may have got another name since.
    pool = next((one.name for one in inventory.pools if one.guid == moved.guid), moved.pool)
    names = {dataset_of(pool, "var"), dataset_of(pool, "home")}
    there = [one for one in inventory.keeping if one.name in names]
    # As files, and not as ZFS packs them.
    needed = sum(one.number("logicalreferenced") or one.number("referenced") or 0 for one in there)
    free = moved.spaces[0].free_bytes if moved.spaces else None
    if free is None:
        findings.error("unknown-space", "", "It is not known how much space is free on the system disk.")
    elif free < needed + _MARGIN_BYTES:
        message = (
            f"The system disk has {free / 1e9:.1f} GB free; up to {needed / 1e9:.1f} GB are moved back, "
            "and 250 MB must stay free. Delete what is not needed there, then try again."
        )
        findings.error("no-space", "", message)
