"""The quiet line of the overview while the machine is being set up."""

from __future__ import annotations

from typing import Any

from alerts.models import Channel
from host.inventory import Inventory
from jobs.wording import counted
from machine.first_boot import state
from machine.first_boot.steps import left, standings


def welcome_banner(user: Any, inventory: Inventory | None) -> str:
    """What is left; empty when it is finished, or dismissed, or nobody would need the wizard.

    A machine that was set up without it has a pool and no memory of it.
    """
    if inventory is None or not user.has_perm("system:write"):
        return ""
    known = state.load()
    if known.finished or known.dismissed or (inventory.pools and not known.begun):
        return ""
    notified = Channel.objects.filter(enabled=True).exists()
    count = left(standings(inventory, known, notified=notified))
    if not count:
        return "Setup is complete. Print the summary."
    return f"Finish setting up: {counted(count, 'step')} left."
