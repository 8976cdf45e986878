"""pool.relink: let a pool find its disks by names that last."""

from __future__ import annotations

import msgspec

from host.commands.pools.importing import ZpoolExport, ZpoolImport
from host.inventory import Inventory, Pool
from host.mountpoints import Zone, zone
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.chosen import PoolText, imported
from pools.phrases import shares_on
from pools.travel.leaving import check_leaving, disk_claims
from pools.travel.links import to_mend
from pools.travel.mounting import OPEN, mount_steps

_MOST_NAMED = 4


class RelinkPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Export a pool and import it again through /dev/disk/by-id."""

    name: PoolText


def plan(request: RelinkPool, inventory: Inventory) -> Plan:
    """Raises `Refused` where all links are good, for a suspended pool, and for the running system's."""
    findings = Findings()
    pool = imported(request.name, inventory, findings)
    wrong = to_mend(pool, inventory)
    if not wrong:
        message = (
            f"{pool.name} already finds all its disks under /dev/disk/by-id. There is nothing to repair."
        )
        findings.error("links-good", "name", message)
    check_leaving(pool, inventory, findings, back_at_once=True)
    if pool.altroot is not None and zone(pool.altroot) is not Zone.OPEN:
        message = f"{pool.name} was imported to {pool.altroot}, which is not below {OPEN}. Import it by hand."
        findings.error("bad-altroot", "name", message)
    findings.refuse_on_error()
    names = ", ".join(leaf.path or leaf.name for leaf in wrong[:_MOST_NAMED])
    more = f" and {len(wrong) - _MOST_NAMED} more" if len(wrong) > _MOST_NAMED else ""
    findings.info("mends", "name", f"Currently known by names that change or no longer exist: {names}{more}.")
    back = ZpoolImport(guid=pool.guid, readonly=pool.readonly, altroot=pool.altroot)
    # Read-only it keeps the label that it came with: it may be another machine's.
    mounting = mount_steps(pool.name, foreign=pool.readonly, readonly=pool.readonly)
    return Plan(
        operation="pool.relink",
        steps=(
            Step(title=f"Export pool {pool.name}", commands=(ZpoolExport(name=pool.name),)),
            Step(title=f"Import {pool.name} through /dev/disk/by-id", commands=(back,)),
            *mounting,
        ),
        summary=_summary(pool, len(wrong), inventory),
        findings=findings.all(),
        claims=(f"pool:{pool.name}", *disk_claims(pool, inventory)),
    )


def _summary(pool: Pool, wrong: int, inventory: Inventory) -> str:
    shares = shares_on(pool, inventory)
    lost = f", and connected clients lose {shares}," if shares else ""
    return (
        f"{pool.name} is exported and imported again at once, so that it finds {wrong} of its disks by "
        f"names that no restart changes. Its files cannot be reached{lost} for a moment."
    )
