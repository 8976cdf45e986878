"""What the care and the travels of pools are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_BY_ACTION = {
    ("pool.scrub", "start"): "Scrub {name}",
    ("pool.scrub", "pause"): "Pause the scrub of {name}",
    ("pool.scrub", "stop"): "Stop the scrub of {name}",
    ("pool.trim", "start"): "Trim {name}",
    ("pool.trim", "suspend"): "Suspend the trim of {name}",
    ("pool.trim", "cancel"): "Cancel the trim of {name}",
    ("pool.initialize", "start"): "Initialize {name}",
    ("pool.initialize", "suspend"): "Suspend the initialization of {name}",
    ("pool.initialize", "cancel"): "Cancel the initialization of {name}",
    ("pool.checkpoint", "take"): "Take a checkpoint of {name}",
    ("pool.checkpoint", "discard"): "Discard the checkpoint of {name}",
}
_TITLES = {
    "pool.export": "Export {name}",
    "pool.relink": "Mend the links of {name}",
    "pool.upgrade": "Upgrade {name}",
    "schedule.change": "Change a schedule",
    "schedule.delete": "Delete a schedule",
}
_FIRST = {"pool.checkpoint": "take"}


def title(operation: str, data: Mapping[str, Any]) -> str | None:
    """`Pause the scrub of tank`; None for what is none of this."""
    if operation == "pool.import":
        return f"{'Bring back' if data.get('destroyed') else 'Import'} {_imported(data)}"
    if operation == "pool.schedule":
        return f"{str(data.get('kind', 'scrub')).capitalize()} {data.get('pool', '')} by the clock"
    action = data.get("action", _FIRST.get(operation, "start"))
    words = _TITLES.get(operation) or _BY_ACTION.get((operation, str(action)))
    return words.format(name=data.get("name", "a pool")) if words else None


def pool_after(operation: str, data: Mapping[str, Any]) -> str | None:
    """The name of the pool that is there when the operation has ended; None where none is, or another is."""
    if operation == "pool.import":
        name = data.get("new_name") or data.get("name")
        return str(name) if name else None
    if operation == "pool.export" or not operation.startswith("pool."):
        return None
    name = data.get("pool") or data.get("name")
    return str(name) if name else None


def _imported(data: Mapping[str, Any]) -> str:
    named = data.get("name") or "the pool"
    return f"{named} as {data['new_name']}" if data.get("new_name") else str(named)
