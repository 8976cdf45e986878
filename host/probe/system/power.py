"""Whether a restart or a shutdown is ordered, from `systemctl list-units`."""

from __future__ import annotations

import msgspec

from host import typed
from host.base import Host
from host.commands.system.power import DESCRIPTIONS, PowerOrder, PowerOrdered


class _Row(msgspec.Struct, frozen=True):
    active: str
    description: str


_rows = msgspec.json.Decoder(tuple[_Row, ...])


def parse_power_ordered(text: str) -> PowerOrder | None:
    """None while nothing is ordered; what has failed, or is not there, is no order."""
    there = {
        row.description for row in typed.decode_by(_rows, text) if row.active in {"active", "activating"}
    }
    return next((order for order, description in DESCRIPTIONS.items() if description in there), None)


def read_power_order(host: Host) -> PowerOrder | None:
    """What the machine will do within seconds. Raises `HostError`."""
    return parse_power_ordered(host.run(PowerOrdered()).stdout)
