"""pool.export: unmount everything of a pool and let its disks go, so that they can be moved."""

from __future__ import annotations

import msgspec

from host.commands.pools.importing import ZpoolExport
from host.inventory import Inventory, Pool, leaves
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.chosen import PoolText, imported
from pools.phrases import shares_on
from pools.travel.leaving import check_leaving, disk_claims


class ExportPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Export a pool. Nothing is lost: its disks hold all of it, here or in another machine."""

    name: PoolText


def plan(request: ExportPool, inventory: Inventory) -> Plan:
    """Raises `Refused` for a suspended pool, and for one that the running system needs."""
    findings = Findings()
    pool = imported(request.name, inventory, findings)
    check_leaving(pool, inventory, findings, back_at_once=False)
    findings.refuse_on_error()
    return Plan(
        operation="pool.export",
        steps=(Step(title=f"Export pool {pool.name}", commands=(ZpoolExport(name=pool.name),)),),
        summary=_summary(pool, inventory),
        findings=findings.all(),
        claims=(f"pool:{pool.name}", *disk_claims(pool, inventory)),
    )


def _summary(pool: Pool, inventory: Inventory) -> str:
    disks = {leaf.guid for top in pool.vdevs for leaf in leaves(top)}
    shares = shares_on(pool, inventory)
    return sentences(
        f"{pool.name} is exported: its files cannot be reached until it is imported again.",
        f"Connected clients lose {shares}, and files opened from there are cut off." if shares else "",
        f"Its {counted(len(disks), 'disk')} can then be taken out and moved to another machine.",
    )
