"""Where a repository may be, seen from the console: what the machine's own rules leave open. Pure."""

from __future__ import annotations

from host.inventory import Dataset, Inventory
from host.mountpoints import OPEN_ROOTS
from host.own_names import of_machine
from host.repositories.settings import RepositorySettings, server_fault
from jobs.planning.findings import Findings


def check_place(settings: RepositorySettings, inventory: Inventory, findings: Findings) -> None:
    """Adds findings on the fields `local.path`, `sftp.host` and the like."""
    kind = settings.kind
    if settings.local is not None:
        _check_folder(settings.local.path, inventory, findings)
    elif settings.server is not None:
        if why := server_fault(settings.server, of_machine(inventory)):
            findings.error("bad-host", f"{kind}.host", why)
        if getattr(settings.server, "tls", True) is False:
            message = "The connection is not encrypted: whoever listens in the network can use the account."
            findings.warning("not-encrypted", f"{kind}.tls", message)


def _check_folder(path: str, inventory: Inventory, findings: Findings) -> None:
    inside = dataset_of(path, inventory)
    if inside is None:
        if not path.startswith(tuple(f"{root}/" for root in OPEN_ROOTS)):
            message = "Choose a folder of a dataset, or of a disk that is mounted below /mnt or /media."
            findings.error("bad-folder", "local.path", message)
        return
    if not inside.mounted:
        findings.error("not-mounted", "local.path", f"{inside.name} is not mounted.")
    message = f"It lies in the pool {inside.pool}: what is backed up from that pool is lost together with it."
    findings.info("in-pool", "local.path", message)


def dataset_of(path: str, inventory: Inventory) -> Dataset | None:
    """The dataset that a folder of this machine lies in."""
    within = (
        one
        for one in inventory.datasets
        if (place := one.value("mountpoint") or "").startswith("/")
        and (path == place or path.startswith(f"{place.rstrip('/')}/"))
    )
    return max(within, key=lambda one: len(one.value("mountpoint") or ""), default=None)
