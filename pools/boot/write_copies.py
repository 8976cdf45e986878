"""boot.copies: GRUB anew on every half that is here."""

from __future__ import annotations

import msgspec

from host.boot_pair import in_words
from host.commands.system.boot_pair import BootCopy
from host.inventory import Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import in_bay, named
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
    return Plan(operation="boot.copies", steps=steps, summary=_summary(halves), claims=claims(pair, *halves))


def _summary(halves: list[Disk]) -> str:
    if len(halves) == 1:
        return (
            f"The boot loader is written again to the {named(halves[0])}, so that it can start the machine."
        )
    return f"The boot loader is written again to the {in_bay(*halves)}, so that either can start the machine."
