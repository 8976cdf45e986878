"""sharing.apply: make the machine serve what is written down, as after a mount or a change by hand."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory
from jobs.findings import Findings
from jobs.plan import Plan
from shares import changing
from shares.applying import apply, drifted


class ApplySharing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write the files of all shares again, and have them read."""


def plan(_request: ApplySharing, inventory: Inventory) -> Plan:
    """Raises `Refused` where all is served as it should be."""
    findings = Findings()
    steps = apply(inventory.sharing, inventory).steps
    if not steps:
        findings.refuse("nothing-changes", "", "All shares are served as they should be.")
    changing.tell_drift(drifted(inventory), findings)
    return Plan(operation="sharing.apply", steps=steps, findings=findings.all(), claims=(changing.CLAIM,))


def remember(_request: ApplySharing, inventory: Inventory, _actor: str) -> None:
    """Write what the files are now."""
    changing.remember(inventory.sharing, inventory)
