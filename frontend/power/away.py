"""What the page of a job says while the machine goes down and comes back."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal

import msgspec

from host.inventory import Inventory
from jobs.models import Job, State
from machine.power.impact import start_of
from machine.power.use import ORDERS

_LONGEST = timedelta(hours=1)  # what has not happened by then was taken back


class AwayView(msgspec.Struct, frozen=True, kw_only=True):
    """The machine goes down, and with `restart` comes back; `start` is the one that ends. One that is
    `simulated` stays on when it is shut down."""

    order: Literal["restart", "shut down"]
    start: str
    simulated: bool


def away_view(job: Job, inventory: Inventory | None, now: datetime) -> AwayView | None:
    """None for other jobs, and once the machine has started again since."""
    order = ORDERS.get(job.operation)
    going = job.state in {State.RUNNING, State.SUCCEEDED} and now - job.submitted_at < _LONGEST
    if order is None or inventory is None or not going:
        return None
    # The plan claims the start that it ends: once the machine knows another one, it has happened.
    if not set(start_of(inventory)) & set(job.plan.get("claims", ())):
        return None
    simulated = inventory.facts.kind == "simulated"
    return AwayView(order=order, start=inventory.naming.boot, simulated=simulated)
