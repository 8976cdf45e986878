"""pool.trim: tell SSDs which of their space is free."""

from __future__ import annotations

import msgspec

from host.commands.base import Guid
from host.commands.closed import AnyCommand
from host.commands.pools.care import FillAction, ZpoolTrim
from host.inventory import Inventory, Pool, Vdev
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted
from pools.care import filling
from pools.chosen import PoolText, check_writable, imported

_TITLES = {"start": "Trim {}", "suspend": "Suspend the trim of {}", "cancel": "Cancel the trim of {}"}


class TrimPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Trim a pool, or the one leaf with the guid `vdev`; suspend that; cancel it. It runs in the kernel."""

    name: PoolText
    action: FillAction = "start"
    vdev: Guid | None = None


def plan(request: TrimPool, inventory: Inventory) -> Plan:
    """Raises `Refused` where no device can be trimmed, and for what is running or not running already."""
    findings = Findings()
    pool = imported(request.name, inventory, findings)
    check_writable(pool, findings)
    chosen = filling.wanted(pool, request.vdev, findings)
    able = tuple(leaf for leaf in chosen if leaf.trims)
    if chosen and not able:
        what = filling.short(chosen[0]) if request.vdev else f"No device of {pool.name}"
        message = (
            f"{what} {'cannot' if request.vdev else 'can'} be trimmed: that is for SSDs which support it."
        )
        findings.error("no-trim", "vdev" if request.vdev else "name", message)
    elif able:
        filling.check_action(able, request.action, lambda leaf: leaf.trim, "trim", findings)
    findings.refuse_on_error()
    if request.action == "start" and len(able) < len(chosen):
        left = [leaf for leaf in chosen if not leaf.trims]
        findings.info("left-out", "", f"Left out, because they cannot be trimmed: {filling.names(left)}.")
    return Plan(
        operation="pool.trim",
        steps=(Step(title=_TITLES[request.action].format(pool.name), commands=_commands(request, able)),),
        summary=_summary(request, pool, able),
        takes=f"minutes to hours; {pool.name} stays usable" if request.action == "start" else "",
        findings=findings.all(),
        claims=(f"pool:{pool.name}",),
    )


def _summary(request: TrimPool, pool: Pool, able: tuple[Vdev, ...]) -> str:
    if request.action == "suspend":
        return f"The trim of {pool.name} is suspended, and continues from there once you start it again."
    if request.action == "cancel":
        return f"The trim of {pool.name} is cancelled, and the next one starts from the beginning."
    ssds = filling.short(able[0]) if request.vdev else f"its {counted(len(able), 'SSD')}"
    return f"{pool.name} is trimmed: {ssds} can reuse the space that is free in it, which keeps writing fast."


def _commands(request: TrimPool, able: tuple[Vdev, ...]) -> tuple[AnyCommand, ...]:
    if request.action == "start" and request.vdev is None:
        return (ZpoolTrim(name=request.name),)
    meant = filling.affected(able, request.action, lambda leaf: leaf.trim)
    return tuple(ZpoolTrim(name=request.name, action=request.action, vdev=leaf.guid) for leaf in meant)
