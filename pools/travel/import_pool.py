"""pool.import: take in a pool whose disks are here: exported, of another machine, or destroyed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import Meta

from host.commands.base import Guid
from host.commands.pools.importing import ZpoolImport
from host.inventory import ImportablePool, Inventory
from host.mountpoints import Zone, path_fault, zone
from jobs.needs import ImportableNeeds, Needs
from jobs.plan import Loss, Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import sentences
from jobs.wording import counted
from pools.names import address_fault, pool_name_fault
from pools.travel.arriving import check_arriving, disk_ids, missing, missing_logs
from pools.travel.mounting import OPEN, add_mount_findings, mount_steps

_SWITCHED_OFF = (
    "Because another machine used it last, set-user-ID programs, device files and its own shares are "
    "turned off in it."
)
_Text = Annotated[str, Meta(max_length=1024)]


class ImportPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Import the pool with that guid, or the only one of that name.

    `force` says that no other machine uses it; `missing_log` goes on without a lost log device; `rewind`
    gives up its last transactions, and what that costs has to be asked for first (POST pools/importable/);
    `to_checkpoint` gives up all since its checkpoint; `destroyed` undoes a destroy; `unmounted` mounts
    nothing; `altroot` puts all mount points below a folder.
    """

    guid: Guid | None = None
    name: _Text | None = None
    new_name: _Text | None = None
    readonly: bool = False
    missing_log: bool = False
    force: bool = False
    rewind: bool = False
    to_checkpoint: bool = False
    destroyed: bool = False
    unmounted: bool = False
    altroot: _Text | None = None


def needs(request: ImportPool, _inventory: Inventory) -> Needs:
    """What the labels of all disks tell."""
    losses_of = (request.guid,) if request.rewind and request.guid else ()
    return Needs(importable=ImportableNeeds(losses_of=losses_of))


def plan(request: ImportPool, inventory: Inventory) -> Plan:
    """Raises `Refused` for a pool that is not there, and for what its state, name or age stands against."""
    findings = Findings()
    pool = _found(request, inventory, findings)
    name = _name(request, pool, inventory, findings)
    _check_altroot(request, inventory, findings)
    if request.rewind and request.guid is None:
        findings.error("required", "guid", "Name the pool by its guid for a rewind.")
    if request.rewind and request.to_checkpoint:
        message = "Choose a rewind or its checkpoint, not both."
        findings.error("contradiction", "to_checkpoint", message)
    losses = check_arriving(
        pool, inventory, findings, readonly=request.readonly, force=request.force,
        missing_log=request.missing_log, rewind=request.rewind,
    )  # fmt: skip
    if request.to_checkpoint and not request.readonly:
        losses = (*losses, Loss(pool=pool.name, holds="everything written since its checkpoint"))
    findings.refuse_on_error()
    _add_findings(request, pool, findings)
    command = ZpoolImport(
        guid=pool.guid, new_name=name if name != pool.name else None, readonly=request.readonly,
        missing_log=request.missing_log, force=request.force or pool.destroyed, rewind=request.rewind,
        to_checkpoint=request.to_checkpoint, destroyed=pool.destroyed, altroot=request.altroot,
    )  # fmt: skip
    mounting = mount_steps(name, foreign=pool.foreign, readonly=request.readonly, unmounted=request.unmounted)
    title = f"Import pool {pool.name}" + (f" as {name}" if name != pool.name else "")
    title += ", read-only" if request.readonly else ""
    return Plan(
        operation="pool.import",
        steps=(
            Step(title=title, commands=(command,), destroys=losses),
            *mounting,
        ),
        summary=_summary(request, pool, name, inventory),
        findings=findings.all(),
        claims=(f"pool:{name}", *(f"disk:{disk}" for disk in disk_ids(pool, inventory))),
        confirm=pool.name if losses else None,
    )


def _summary(request: ImportPool, pool: ImportablePool, name: str, inventory: Inventory) -> str:
    result = (
        f"{pool.name}, which was destroyed, is recovered" if pool.destroyed else f"{pool.name} is imported"
    )
    result += f" as {name}" if name != pool.name else ""
    result += " read-only" if request.readonly else ""
    without = len(missing(pool))
    result += f", without {without} of its disks," if without else ""
    where = "and mounted at its own mount points"
    if request.unmounted:
        where = "but not mounted"
    elif request.altroot is not None:
        where = f"and mounted below {request.altroot}"
    elif pool.foreign:
        where = f"and mounted where its mount points lie below {OPEN}"
    return sentences(
        f"{result} {where}.",
        *_given_up(request, pool, inventory),
        _SWITCHED_OFF if pool.foreign and not request.readonly else "",
    )


def _given_up(request: ImportPool, pool: ImportablePool, inventory: Inventory) -> Iterator[str]:
    if request.readonly and (request.rewind or request.to_checkpoint):
        yield "It shows an earlier state, and nothing of the present one is lost."
        return
    if request.to_checkpoint:
        yield "Everything that was written since its checkpoint is lost."
    loss = inventory.importable.losses.get(pool.guid) if inventory.importable else None
    if request.rewind:
        last = (
            f"About the last {counted(loss.seconds, 'second')}"
            if loss and loss.seconds
            else "The last seconds"
        )
        yield f"{last} of writes to it are lost."
    if missing_logs(pool):
        yield "What was only on its missing log is lost: the last seconds of synchronous writes."


def _found(request: ImportPool, inventory: Inventory, findings: Findings) -> ImportablePool:
    if request.guid is None and request.name is None:
        findings.refuse("required", "guid", "Name the pool, by its guid or its name.")
    if inventory.importable is None:
        message = (
            "The disks have not been scanned for pools yet. Start a scan: POST /api/v1/pools/importable/."
        )
        findings.refuse("look-first", "guid", message)
    field = "guid" if request.guid is not None else "name"
    if any(pool.guid == request.guid for pool in inventory.pools):
        findings.refuse("already-imported", field, "That pool is imported already.")
    here = [pool for pool in inventory.importable.pools if pool.destroyed is request.destroyed]
    imported = {pool.guid for pool in inventory.pools}
    fitting = [
        pool for pool in here
        if pool.guid not in imported
        and request.guid in (None, pool.guid) and request.name in (None, pool.name)
    ]  # fmt: skip
    if len(fitting) > 1:
        guids = ", ".join(pool.guid for pool in fitting)
        findings.refuse("several", "name", f"Several pools have that name. Name one by its guid: {guids}.")
    if not fitting:
        other = any(request.guid in (None, pool.guid) and request.name in (None, pool.name)
                    for pool in inventory.importable.pools if pool.destroyed)  # fmt: skip
        if other and not request.destroyed:
            message = "That pool was destroyed. Choose “destroyed” to recover it."
            findings.refuse("was-destroyed", "destroyed", message)
        message = "The last scan of the disks found no such pool. Scan again if its disks were added since."
        findings.refuse("unknown-pool", field, message)
    return fitting[0]


def _name(request: ImportPool, pool: ImportablePool, inventory: Inventory, findings: Findings) -> str:
    name = pool.name if request.new_name is None else request.new_name
    if request.new_name is not None and (fault := pool_name_fault(name)):
        findings.error("bad-name", "new_name", fault)
    elif fault := address_fault(name):
        findings.error("bad-name", "new_name", f"{fault} Give a new name.")
    elif inventory.pool(name) is not None:
        findings.error("name-taken", "new_name", f"A pool {name} is imported already. Give a new name.")
    return name


def _check_altroot(request: ImportPool, inventory: Inventory, findings: Findings) -> None:
    if request.altroot is None:
        return
    if zone(request.altroot) is not Zone.OPEN:
        fault = path_fault(request.altroot) or f"{request.altroot} is not below {OPEN}."
        findings.error("bad-altroot", "altroot", f"{fault} Give a folder such as /mnt/look.")
    for dataset in inventory.datasets:
        if dataset.mounted and dataset.value("mountpoint") == request.altroot:
            message = f"{dataset.name} is mounted at {request.altroot}. Choose another folder."
            findings.error("mountpoint-taken", "altroot", message)


def _add_findings(request: ImportPool, pool: ImportablePool, findings: Findings) -> None:
    add_mount_findings(
        findings, foreign=pool.foreign, readonly=request.readonly, unmounted=request.unmounted,
        altroot=request.altroot,
    )  # fmt: skip
    message = "Encrypted datasets stay locked and unmounted until their key is loaded."
    findings.info("keys", "", message)
    if request.altroot is not None:
        message = "With a folder for all mount points it is not imported automatically at the next start."
        findings.info("not-at-start", "altroot", message)
    if request.rewind or request.to_checkpoint:
        findings.info(
            "scrub-next", "", "Scrub it afterwards to find out whether everything left can be read."
        )
