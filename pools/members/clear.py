"""pool.clear: set error counters back, and let what failed or is suspended try again."""

from __future__ import annotations

import msgspec

from host.commands.pools.care import ZpoolClear
from host.inventory import Inventory, Pool, Vdev, leaves
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted, listed
from pools.members.places import Text, asked_for, claims, named, pool_called, said

_MOST_NAMED = 3
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
    errors = [leaf for leaf in below.values() if _errors(leaf)]
    for leaf in errors:
        message = f"{said(leaf, inventory)}: {_errors(leaf)} counted errors are cleared."
        findings.info("errors-forgotten", "vdev", message)
    missing = _missing(pool)
    _check_suspended(missing, inventory, findings)
    findings.refuse_on_error()
    what = f"pool {pool.name}" if request.vdev is None else said(tops[0], inventory)
    command = ZpoolClear(name=pool.name, vdev=request.vdev)
    return Plan(
        operation="pool.clear",
        steps=(Step(title=f"Clear the errors of {what}", commands=(command,)),),
        summary=_summary(pool, tuple(below.values()), inventory, missing=bool(missing)),
        findings=findings.all(),
        claims=claims(pool),
    )


def _summary(pool: Pool, cleared: tuple[Vdev, ...], inventory: Inventory, *, missing: bool) -> str:
    resumed = again = ""
    if pool.suspended:
        resumed = f"{pool.name} resumes, and the programs and clients that wait for it continue."
        again = "It is suspended again at once if too many disks are still missing." if missing else ""
    bad = [leaf for leaf in cleared if _errors(leaf)]
    failed = [leaf for leaf in cleared if leaf.state in {"FAULTED", "DEGRADED"}]
    on = listed([named(leaf, inventory) for leaf in bad]) if len(bad) <= _MOST_NAMED else f"{len(bad)} disks"
    total = counted(sum(map(_errors, bad)), "error")
    reset = f"The {total} that ZFS counted on {on} in {pool.name} are cleared." if bad else ""
    if resumed:
        return sentences(resumed, again, reset)
    retried = "that disk" if failed == bad and len(bad) == 1 else "the disks that failed"
    return sentences(
        reset or f"The error counters of {pool.name} start again at 0.",
        f"ZFS tries {retried} again." if failed else "",
    )


def _errors(leaf: Vdev) -> int:
    return leaf.read_errors + leaf.write_errors + leaf.checksum_errors


def _missing(pool: Pool) -> list[Vdev]:
    """What a suspended pool waits for. ZFS cannot note what left after it stopped: it still calls such a disk
    online."""
    if not pool.suspended:
        return []
    found = [leaf for vdev in pool.vdevs for leaf in leaves(vdev)]
    return [leaf for leaf in found if leaf.state not in _HERE or leaf.disk is None]


def _check_suspended(missing: list[Vdev], inventory: Inventory, findings: Findings) -> None:
    if missing:
        names = "; ".join(said(leaf, inventory) for leaf in missing)
        message = f"Still missing: {names}. If too much is missing, the pool is suspended again at once."
        findings.warning("still-missing", "name", message)
