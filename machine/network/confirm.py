"""network.confirm and network.revert: keep the last change of the network, or revert it at once."""

from __future__ import annotations

import msgspec

from host.commands.network import CONFIRM_S, ConfirmNetwork, RollBackNetwork, StopRollbackTimer, SyncNetwork
from host.inventory import Inventory
from host.inventory.network import PendingChange
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from machine.network.set_network import CLAIM


class ConfirmChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Keep the change that waits."""


class RevertChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Revert the change that waits now."""


def plan(_request: ConfirmChange, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing waits."""
    pending = _pending(inventory)
    # Whoever removes the mark decides: after that the timer finds nothing to do. Flash drives are written to
    # once a minute: after a power cut before that, the mark was back, and the start obeyed it.
    commands = (ConfirmNetwork(), StopRollbackTimer(), SyncNetwork())
    step = Step(title=f"Keep {pending.interface} as it is", commands=commands)
    summary = f"The new settings of {pending.interface} stay, also after a restart."
    return Plan(operation="network.confirm", steps=(step,), summary=summary, claims=(CLAIM,))


def plan_revert(_request: RevertChange, inventory: Inventory) -> Plan:
    """Raises `Refused` where nothing waits."""
    pending = _pending(inventory)
    step = Step(
        title=f"Restore the old settings of {pending.interface}",
        commands=(RollBackNetwork(), StopRollbackTimer()),
    )
    summary = (
        f"{pending.interface} gets back the settings that it had before the last change. Connections through "
        "it are cut off for a moment, and addresses that came with the change stop working."
    )
    return Plan(operation="network.revert", steps=(step,), summary=summary, claims=(CLAIM,))


def _pending(inventory: Inventory) -> PendingChange:
    findings = Findings()
    if (pending := inventory.network.pending) is None:
        message = (
            f"There is no pending change. A change that is not confirmed within {CONFIRM_S} s is reverted "
            "automatically."
        )
        findings.refuse("nothing-pending", "", message)
    return pending
