"""pool.expand: use the space by which devices have grown."""

from __future__ import annotations

import msgspec

from host.commands.pools.members import ZpoolOnline
from host.inventory import Inventory, Pool, Vdev, leaves
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import listed
from pools.members.growth import growth
from pools.members.places import Text, asked_for, claims, named, said, writable
from pools.quotas.limits import in_words


class ExpandPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Let vdevs grow to what their devices offer: all that can, or one top-level vdev."""

    name: Text
    vdev: Text | None = None  # guid


def plan(request: ExpandPool, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing has grown."""
    findings = Findings()
    pool = writable(request.name, inventory, findings)
    tops = _tops(request, pool, findings)
    grown = tuple(top for top in tops if top.expandable_bytes)
    if not grown:
        message = (
            "No vdev has space to grow into. A mirror or raidz can grow once all of its disks are larger "
            "than the smallest one was."
        )
        findings.refuse("nothing-to-expand", "vdev" if request.vdev else "name", message)
    steps = tuple(step for top in grown if (step := _step(pool, top, inventory, findings)))
    findings.refuse_on_error()
    message = "A pool that has grown cannot shrink again: disks of the old size no longer fit."
    findings.info("cannot-shrink", "name", message)
    return Plan(
        operation="pool.expand",
        steps=steps,
        summary=_summary(pool, grown, inventory),
        findings=findings.all(),
        claims=claims(pool),
    )


def _summary(pool: Pool, grown: tuple[Vdev, ...], inventory: Inventory) -> str:
    found = [growth(pool, top) for top in grown]
    usable = sum(one.usable_then - one.usable_now for one in found)
    # Without the sizes of all members only the raw figure is known.
    more = f"{in_words(usable)} more for files"
    if usable <= 0:
        more = f"{in_words(sum(one.expandable_bytes for one in found))} more, parity included"
    names = listed([named(top, inventory) for top in grown])
    return (
        f"{pool.name} grows into the full size of the disks in {names}: {more}. Smaller disks can no "
        "longer replace them."
    )


def _tops(request: ExpandPool, pool: Pool, findings: Findings) -> tuple[Vdev, ...]:
    return pool.vdevs if request.vdev is None else (asked_for(pool, request.vdev, findings).top,)


def _step(pool: Pool, top: Vdev, inventory: Inventory, findings: Findings) -> Step | None:
    resting = [leaf for leaf in leaves(top) if leaf.state != "ONLINE"]
    if resting:
        names = "; ".join(said(leaf, inventory) for leaf in resting)
        message = f"{top.name} can grow once all of its disks are online. Not online: {names}."
        findings.error("not-online", "vdev", message)
        return None
    commands = tuple(ZpoolOnline(name=pool.name, vdev=leaf.guid, expand=True) for leaf in leaves(top))
    return Step(title=f"Grow {top.name} by {top.expandable_bytes} bytes", commands=commands)
