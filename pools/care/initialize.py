"""pool.initialize: write once to all space that was never written."""

from __future__ import annotations

import msgspec

from host.commands.base import Guid
from host.commands.closed import AnyCommand
from host.commands.pools.care import FillAction, ZpoolInitialize
from host.inventory import Inventory, Pool, Vdev
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted
from pools.care import filling
from pools.chosen import PoolText, check_writable, imported

_TITLES = {
    "start": "Initialize {}", "suspend": "Suspend the initialization of {}",
    "cancel": "Cancel the initialization of {}",
}  # fmt: skip


class InitializePool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write to all free space of a pool, or of the one leaf with the guid `vdev`; suspend that; cancel it."""

    name: PoolText
    action: FillAction = "start"
    vdev: Guid | None = None


def plan(request: InitializePool, inventory: Inventory) -> Plan:
    """Raises `Refused` for a leaf that is not online, and for what is running or not running already."""
    findings = Findings()
    pool = imported(request.name, inventory, findings)
    check_writable(pool, findings)
    chosen = filling.wanted(pool, request.vdev, findings)
    if chosen:
        filling.check_action(chosen, request.action, lambda leaf: leaf.initialize, "initialization", findings)
    findings.refuse_on_error()
    if request.action == "start":
        message = (
            "It writes once to all free space, which takes about as long as a scrub of a full pool. It is "
            "meant for virtual disks that are slow at the first write; on an SSD it only causes wear."
        )
        findings.info("rarely-needed", "", message)
    return Plan(
        operation="pool.initialize",
        steps=(Step(title=_TITLES[request.action].format(pool.name), commands=_commands(request, chosen)),),
        summary=_summary(request, pool, chosen),
        takes=f"hours for large disks; {pool.name} stays usable" if request.action == "start" else "",
        findings=findings.all(),
        claims=(f"pool:{pool.name}",),
    )


def _summary(request: InitializePool, pool: Pool, chosen: tuple[Vdev, ...]) -> str:
    if request.action == "suspend":
        return (
            f"The initialization of {pool.name} is suspended, and continues from there once you start it "
            "again."
        )
    if request.action == "cancel":
        return f"The initialization of {pool.name} is cancelled, and the next one starts from the beginning."
    disks = filling.short(chosen[0]) if request.vdev else f"its {counted(len(chosen), 'disk')}"
    return (
        f"{pool.name} writes once to all free space on {disks}, so that virtual disks are not slow at the "
        "first write. Other work is slower during that time."
    )


def _commands(request: InitializePool, chosen: tuple[Vdev, ...]) -> tuple[AnyCommand, ...]:
    if request.action == "start" and request.vdev is None:
        return (ZpoolInitialize(name=request.name),)
    meant = filling.affected(chosen, request.action, lambda leaf: leaf.initialize)
    return tuple(ZpoolInitialize(name=request.name, action=request.action, vdev=leaf.guid) for leaf in meant)
