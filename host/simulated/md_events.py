"""An event that mdadm's monitor reported of a simulated array."""

from __future__ import annotations

import msgspec


class SimulatedEvent(msgspec.Struct, frozen=True, kw_only=True):
    """One event; `detail` is the member's path, or words behind a blank."""

    at_ns: int
    event: str
    array: str
    uuid: str
    detail: str | None
