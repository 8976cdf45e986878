"""The pool that /var and /home lie on, or shall: it is not let go like any other."""

from __future__ import annotations

from host.inventory import Inventory, Pool
from jobs.planning.findings import Findings


def check_state(pool: Pool, field: str, inventory: Inventory, findings: Findings) -> None:
    """An error where the machine's own state lies on `pool`: without it the next start has an old one."""
    moved = inventory.moved
    if moved.uses and moved.guid == pool.guid:
        doing = "lie on" if moved.phase in {"moved", "returning"} else "are being moved to"
        message = (
            f"{moved.named} of this machine {doing} {pool.name}. Move them back first: “Where the system "
            "keeps its state”, at /boot/state/."
        )
        findings.error("system-state", field, message)
