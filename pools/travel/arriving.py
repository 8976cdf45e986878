"""What is said of a pool before it is taken in, and what would be given up for that."""

from __future__ import annotations

from collections.abc import Iterator

from host.inventory import ImportablePool, ImportableVdev, Inventory
from jobs.plan import Loss
from jobs.planning.findings import Findings

_LOST = {"UNAVAIL", "FAULTED", "OFFLINE", "REMOVED"}
_VITAL = {"data", "special", "dedup"}


def check_arriving(
    pool: ImportablePool,
    inventory: Inventory,
    findings: Findings,
    *,
    readonly: bool,
    force: bool,
    missing_log: bool,
    rewind: bool,
) -> tuple[Loss, ...]:
    """Adds findings on the pool's state and owner; answers what the import would give up."""
    _check_owner(pool, findings, force=force)
    _check_features(pool, findings, readonly=readonly)
    losses = _log_loss(pool, findings, missing_log=missing_log)
    if rewind:
        return (*losses, *_rewind_loss(pool, inventory, findings, readonly=readonly))
    lost = missing(pool)
    broken = [vdev for vdev in pool.vdevs if vdev.role in _VITAL and vdev.state in {"UNAVAIL", "FAULTED"}]
    if broken and not pool.unsupported:
        names = ", ".join(f"{vdev.name} ({_counted(vdev)})" for vdev in broken)
        message = (
            f"It cannot be imported because too many disks are missing: {names}. Connect the other disks."
        )
        findings.error("disks-missing", "guid", message)
    elif lost:
        names = ", ".join(leaf.name for leaf in lost[:5])
        message = f"{len(lost)} of its disks are missing ({names}), so it survives fewer failures."
        findings.warning("degraded", "guid", message)
    return losses


def disk_ids(pool: ImportablePool, inventory: Inventory) -> tuple[str, ...]:
    """The ids of the disks that the pool is on, as far as they are here."""
    names = (leaf.disk for vdev in pool.vdevs for leaf in _leaves(vdev))
    found = (inventory.disk(name) for name in names if name)
    return tuple(dict.fromkeys(disk.id for disk in found if disk is not None))


def missing(pool: ImportablePool) -> list[ImportableVdev]:
    """The disks that the pool would come without."""
    return [leaf for vdev in pool.vdevs for leaf in _leaves(vdev) if leaf.state in _LOST]


def missing_logs(pool: ImportablePool) -> list[ImportableVdev]:
    """The log vdevs that the pool would come without."""
    return [vdev for vdev in pool.vdevs if vdev.role == "log" and vdev.state in _LOST]


def _check_owner(pool: ImportablePool, findings: Findings, *, force: bool) -> None:
    if pool.destroyed or not pool.last_used_elsewhere:
        return
    if pool.in_use_elsewhere:
        message = f"{pool.status or ''} {pool.action or ''}".strip()
        findings.error("in-use-elsewhere", "guid", message)
        return
    who = f"by {pool.last_use.host} on {pool.last_use.at}" if pool.last_use else "by another machine"
    if force:
        message = (
            f"Last used {who}, and not exported there. If it is still in use there, importing it here "
            "destroys it."
        )
        findings.warning("other-host", "force", message)
    else:
        message = (
            f"It was last used {who}, and not exported there. If it is still in use there, importing it "
            "here destroys it. Confirm with “force” that it is not."
        )
        findings.error("other-host", "force", message)


def _check_features(pool: ImportablePool, findings: Findings, *, readonly: bool) -> None:
    if pool.unsupported:
        findings.error("unsupported", "guid", f"{pool.status} {pool.action or ''}".strip())
    elif pool.read_only_here and not readonly:
        message = (
            "This system does not support all of its features and can only read it. Choose “readonly”. "
            f"{pool.status}"
        )
        findings.error("read-only-here", "readonly", message)


def _log_loss(pool: ImportablePool, findings: Findings, *, missing_log: bool) -> tuple[Loss, ...]:
    logs = missing_logs(pool)
    if not logs:
        return ()
    names = ", ".join(vdev.name for vdev in logs)
    if not missing_log:
        message = (
            f"Its log ({names}) is missing. Connect it, or choose “missing_log” to continue without it and "
            "lose the last seconds of writes that were only there."
        )
        findings.error("log-missing", "missing_log", message)
    return (Loss(pool=pool.name, holds=f"what was only on its missing log ({names}): the last writes"),)


def _rewind_loss(
    pool: ImportablePool, inventory: Inventory, findings: Findings, *, readonly: bool
) -> tuple[Loss, ...]:
    loss = inventory.importable.losses.get(pool.guid) if inventory.importable else None
    if loss is None:
        message = (
            "It has not been checked yet what a rewind would lose. Check first: POST "
            "/api/v1/pools/importable/ "
            f'with {{"guid": "{pool.guid}"}}.'
        )
        findings.error("loss-unknown", "rewind", message)
        return ()
    if not loss.needed:
        message = (
            loss.refused or "ZFS finds nothing that would have to be discarded. Import it without a rewind."
        )
        findings.error("no-rewind", "rewind", message)
        return ()
    length = f"about {loss.seconds} seconds of its last writes" if loss.seconds else "its last writes"
    back = f"; it returns to its state of {loss.back_to}" if loss.back_to else ""
    if readonly:
        findings.info(
            "rewind-only-shown", "rewind", f"Hidden while it is read-only, not lost: {length}{back}."
        )
        return ()
    return (Loss(pool=pool.name, holds=f"{length}{back}"),)


def _leaves(vdev: ImportableVdev) -> Iterator[ImportableVdev]:
    if not vdev.children:
        yield vdev
    for child in vdev.children:
        yield from _leaves(child)


def _counted(vdev: ImportableVdev) -> str:
    found = list(_leaves(vdev))
    return f"{sum(leaf.state in _LOST for leaf in found)} of {len(found)} disks missing"
