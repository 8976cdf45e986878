"""sharing.apply: make the machine serve what is stored, as after a mount or a change by hand."""

from __future__ import annotations

import msgspec

from host.inventory import Inventory
from jobs.plan import Plan
from jobs.planning.findings import Findings
from shares import changing
from shares.applying import apply, drifted


class ApplySharing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write the files of all shares again, and have them read."""


def plan(_request: ApplySharing, inventory: Inventory) -> Plan:
    """Raises `Refused` where all is served as it should be."""
    return _plan("sharing.apply", inventory)


def plan_following(_request: ApplySharing, inventory: Inventory) -> Plan:
    """Apply again on schedule, as sharing.follow."""
    return _plan("sharing.follow", inventory)


def _plan(operation: str, inventory: Inventory) -> Plan:
    findings = Findings()
    steps = apply(inventory.sharing, inventory)
    if not steps:
        findings.refuse("nothing-changes", "", "All shares are served as they should be.")
    changing.warn_of_drift(drifted(inventory), findings)
    return Plan(operation=operation, steps=steps, findings=findings.all(), claims=(changing.CLAIM,))
