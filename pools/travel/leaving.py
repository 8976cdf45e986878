"""What is said of a pool before it is let go."""

from __future__ import annotations

from host.inventory import Dataset, Inventory, Pool
from host.mountpoints import Zone, zone
from jobs.planning.findings import Findings
from pools.boot.moved import check_state

_MOST_NAMED = 5


def check_leaving(pool: Pool, inventory: Inventory, findings: Findings, *, back_at_once: bool) -> None:
    """Adds findings: what is unmounted, what is shared, what is interrupted."""
    if pool.suspended:
        message = (
            f"{pool.name} is suspended, and ZFS cannot export it in that state. Put its disks back and "
            "clear it; if its device links are gone, restart the machine and import it."
        )
        findings.error("suspended", "name", message)
    check_state(pool, "name", inventory, findings)
    datasets = [d for d in inventory.datasets if d.pool == pool.name]
    mounted = [dataset for dataset in datasets if dataset.mounted]
    for dataset in mounted:
        where = dataset.value("mountpoint") or ""
        if where.startswith("/") and zone(where) is Zone.SYSTEM:
            message = f"{dataset.name} is mounted at {where}, which the running system needs."
            findings.error("system-dataset", "name", message)
    if mounted:
        names = ", ".join(f"{d.name} ({d.value('mountpoint')})" for d in mounted[:_MOST_NAMED])
        more = f" and {len(mounted) - _MOST_NAMED} more" if len(mounted) > _MOST_NAMED else ""
        until = "for a moment" if back_at_once else "until it is imported again"
        findings.warning("unmounts", "name", f"Unmounted {until}: {names}{more}.")
    if shared := [dataset.name for dataset in datasets if _shared(dataset)]:
        names = ", ".join(shared[:_MOST_NAMED])
        findings.warning("shared", "name", f"Shared over the network, so connections will break: {names}.")
    _check_work(pool, findings)
    message = (
        "If a program has a file open in it, ZFS answers “pool or dataset is busy”, names the folder and "
        "exports nothing. Stop that program, then try again."
    )
    findings.info("may-be-busy", "name", message)


def _shared(dataset: Dataset) -> bool:
    return any(dataset.value(name) not in {None, "off", "-"} for name in ("sharenfs", "sharesmb"))


def _check_work(pool: Pool, findings: Findings) -> None:
    if pool.scan is not None and pool.scan.state == "SCANNING":
        what = "resilver" if pool.scan.function == "RESILVER" else "scrub"
        message = f"The {what} that is running stops now and continues after the next import."
        findings.warning(f"{what}-interrupted", "name", message)
    if pool.expansion is not None and pool.expansion.state == "SCANNING":
        message = "The expansion of a RAIDZ stops now and continues after the next import."
        findings.warning("expansion-interrupted", "name", message)
    if pool.removal is not None and pool.removal.state == "SCANNING":
        message = "The removal of a vdev stops now and continues after the next import."
        findings.warning("removal-interrupted", "name", message)


def disk_claims(pool: Pool, inventory: Inventory) -> tuple[str, ...]:
    """The claims on the disks of a pool that is imported."""
    held = (disk.id for disk in inventory.disks if any(claim.pool == pool.name for claim in disk.claims))
    return tuple(f"disk:{disk}" for disk in sorted(held))
