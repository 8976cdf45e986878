"""Examples as data: an operation and its request, on a machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from host.inventory import Inventory
from jobs.plan import Plan
from jobs.planning.shape import decode
from nasweb.operations import OPERATIONS

SECRET = f"secret:{'a' * 32}"


def asked(inventory: Inventory, operation: str, /, **request: Any) -> Callable[[], Plan]:
    """What returns the plan of such a request, as the API would read it."""
    return partial(_planned, inventory, operation, request)


def _planned(inventory: Inventory, operation: str, request: dict[str, Any]) -> Plan:
    row = OPERATIONS[operation]
    return row.plan(decode(row.request, request), inventory)
