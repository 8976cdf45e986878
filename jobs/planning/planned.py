"""The plan of a request, bound to the request where its commands do not say all of it."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from host.inventory import Inventory
from jobs import secrets
from jobs.operation import Operation, nothing_to_remember
from jobs.plan import Plan


def planned(asked: Operation[Any], request: Any, inventory: Inventory) -> Plan:
    """What `asked` plans. Where it writes rows, the digest covers the values of the request, too: no command
    shows them. Raises `Refused`."""
    plan = asked.plan(request, inventory)
    if asked.remember is nothing_to_remember:
        return plan
    # A reference to a secret is another one at each try.
    values = secrets.blanked(asked.request, msgspec.to_builtins(request))
    text = msgspec.json.encode(values, order="deterministic")
    return msgspec.structs.replace(plan, values=hashlib.sha256(text).hexdigest())
