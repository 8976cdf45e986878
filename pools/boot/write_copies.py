"""boot.copies: GRUB anew on every half that is here."""

from __future__ import annotations

import msgspec

from host.boot_pair import in_words
from host.commands.system.boot_pair import BootCopy
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from pools.boot.preparing import asked_pair, claims


class WriteCopies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Write the boot loader to all halves. Harmless at any time."""


def plan(request: WriteCopies, inventory: Inventory) -> Plan:
    """Raises `Refused` where there is no boot pair."""
    findings = Findings()
    pair = asked_pair(inventory, findings)
    halves = [half.disk for half in pair.halves if half.state != "faulty"]
    steps = tuple(
        Step(title=f"Write GRUB to {in_words(disk)}", commands=(BootCopy(disk=disk.link),)) for disk in halves
    )
    return Plan(operation="boot.copies", steps=steps, claims=claims(pair, *halves))
