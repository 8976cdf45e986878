"""pool.clear: set error counters back, and let what failed or is suspended try again."""

from __future__ import annotations

import msgspec

from host.commands.pools.care import ZpoolClear
from host.inventory import Inventory, Pool, Vdev, leaves
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.members.places import Text, asked_for, claims, pool_called, said

_HERE = {"ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "AVAIL", "INUSE"}


class ClearPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Forget counted errors: of the whole pool, or of one vdev. A suspended pool goes on."""

    name: Text
    vdev: Text | None = None  # guid


def plan(request: ClearPool, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown pool or vdev."""
    findings = Findings()
    pool = pool_called(request.name, inventory, findings)
    tops = pool.vdevs if request.vdev is None else (asked_for(pool, request.vdev, findings).vdev,)
    below = {leaf.guid: leaf for top in tops for leaf in leaves(top)}
    counted = [leaf for leaf in below.values() if _errors(leaf)]
    for leaf in counted:
        message = f"{said(leaf, inventory)}: {_errors(leaf)} counted errors are forgotten."
        findings.info("errors-forgotten", "vdev", message)
    _check_suspended(pool, inventory, findings)
    findings.refuse_on_error()
    what = f"pool {pool.name}" if request.vdev is None else said(tops[0], inventory)
    command = ZpoolClear(name=pool.name, vdev=request.vdev)
    return Plan(
        operation="pool.clear",
        steps=(Step(title=f"Clear the errors of {what}", commands=(command,)),),
        findings=findings.all(),
        claims=claims(pool),
    )


def _errors(leaf: Vdev) -> int:
    return leaf.read_errors + leaf.write_errors + leaf.checksum_errors


def _check_suspended(pool: Pool, inventory: Inventory, findings: Findings) -> None:
    if not pool.suspended:
        return
    # ZFS cannot note what left after it stopped: it still calls such a disk online.
    found = [leaf for vdev in pool.vdevs for leaf in leaves(vdev)]
    missing = [leaf for leaf in found if leaf.state not in _HERE or leaf.disk is None]
    if missing:
        names = "; ".join(said(leaf, inventory) for leaf in missing)
        message = f"Not here yet: {names}. If too much is missing still, the pool is suspended again at once."
        findings.warning("still-missing", "name", message)
