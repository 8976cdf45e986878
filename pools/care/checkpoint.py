"""pool.checkpoint: keep a pool's present state to return to, or give that up."""

from __future__ import annotations

from typing import Literal

import msgspec

from host.commands.pools.care import ZpoolCheckpoint
from host.inventory import Inventory, Pool
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from pools.chosen import PoolText, check_writable, imported
from pools.quotas.limits import in_words

# man zpool-checkpoint(8), "zpool remove, attach, detach, split, and reguid are refused"
PREVENTS = "remove, attach, detach, split or expand anything in the pool"


class CheckpointPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Take a checkpoint, or discard the one that is kept. To return to it: export, then import to it."""

    name: PoolText
    action: Literal["take", "discard"] = "take"


def plan(request: CheckpointPool, inventory: Inventory) -> Plan:
    """Raises `Refused` where there is one already or none, and while vdevs are removed or expanded."""
    findings = Findings()
    pool = imported(request.name, inventory, findings)
    check_writable(pool, findings)
    if request.action == "take":
        _check_take(pool, findings)
    elif pool.checkpoint is None:
        findings.error("no-checkpoint", "action", f"{pool.name} has no checkpoint.")
    elif pool.checkpoint.state == "DISCARDING":
        findings.error("already-running", "action", "The checkpoint is being discarded already.")
    findings.refuse_on_error()
    taking = request.action == "take"
    losses = () if taking else (Loss(pool=pool.name, holds=_kept(pool)),)
    title = f"Take a checkpoint of {pool.name}" if taking else f"Discard the checkpoint of {pool.name}"
    command = ZpoolCheckpoint(name=pool.name, discard=not taking)
    return Plan(
        operation="pool.checkpoint",
        steps=(Step(title=title, commands=(command,), destroys=losses),),
        summary=_summary(request, pool),
        findings=findings.all(),
        claims=(f"pool:{pool.name}",),
    )


def _summary(request: CheckpointPool, pool: Pool) -> str:
    if request.action == "take":
        return (
            f"{pool.name} keeps its present state as a checkpoint, to which it can go back as a whole. Until "
            "that is discarded, deleted files free no space, and disks can be neither replaced nor removed."
        )
    frees = f", which frees {in_words(pool.checkpoint.size_bytes)}" if pool.checkpoint else ""
    return f"The checkpoint of {pool.name} is discarded{frees}. There is no way back then to {_state(pool)}."


def _check_take(pool: Pool, findings: Findings) -> None:
    if pool.checkpoint is not None:
        message = f"{pool.name} has a checkpoint already. Discard it before another is taken."
        findings.error("has-checkpoint", "action", message)
    if pool.removal is not None and pool.removal.state == "SCANNING":
        findings.error("removing", "action", "A vdev is being removed. Wait until that has finished.")
    if pool.expansion is not None and pool.expansion.state == "SCANNING":
        findings.error("expanding", "action", "A RAIDZ is being expanded. Wait until that has finished.")
    message = (
        f"While it exists, nobody can {PREVENTS}, and deleting frees no space. Discard it as soon as it is "
        "no longer needed."
    )
    findings.info("checkpoint-prevents", "action", message)
    message = (
        "To return to it, export the pool and import it at its checkpoint: everything written later is lost."
    )
    findings.info("how-to-return", "action", message)


def _kept(pool: Pool) -> str:
    return f"the way back to {_state(pool)}"


def _state(pool: Pool) -> str:
    taken = pool.checkpoint.taken if pool.checkpoint else None
    return f"the pool's state of {taken[:16].replace('T', ' ')} UTC" if taken else "the checkpoint's state"
