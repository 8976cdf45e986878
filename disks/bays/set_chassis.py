"""chassis.set: what the case looks like."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from disks.bays.stored import store_layout
from disks.layout import GroupLayout, Layout, check_layout
from disks.profiles import PROFILES
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import bays, sentences
from jobs.wording import counted


class SetChassis(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Describe the whole case: by the name of a profile, or by its groups of bays with a name."""

    profile: Annotated[str, Meta(max_length=60)] = ""
    name: Annotated[str, Meta(max_length=60)] = ""
    groups: Annotated[tuple[GroupLayout, ...], Meta(max_length=12)] = ()


def plan(request: SetChassis, inventory: Inventory) -> Plan:
    """Raises `Refused` with all that is wrong with the description."""
    findings = Findings()
    layout = _layout(request, findings)
    if layout is not None:
        check_layout(layout, findings)
    findings.refuse_on_error()
    assert layout is not None  # noqa: S101 - refused otherwise
    warn_of_loss(layout, inventory, findings)
    return Plan(
        operation="chassis.set",
        steps=steps(layout),
        summary=_summary(layout, inventory),
        findings=findings.all(),
        claims=("chassis:case",),
    )


def _summary(layout: Layout, inventory: Inventory) -> str:
    lost = _lost(layout, inventory)
    gone = (
        f"The record of which disks sit in {bays(lost)} is lost, because the new chassis does not have them."
    )
    return sentences(f"The chassis becomes {in_words(layout)}.", gone if lost else "")


def in_words(layout: Layout) -> str:
    """`“Test case” with 4 bays`."""
    return f"“{layout.name}” with {counted(len(layout.labels), 'bay')}"


def remember(request: SetChassis, _inventory: Inventory, _actor: str) -> None:
    """Store it."""
    store_layout(_layout(request, Findings()))


def warn_of_loss(layout: Layout, inventory: Inventory, findings: Findings) -> None:
    """Tell which bays were taught and would be no more, and whether there are bays enough."""
    if lost := _lost(layout, inventory):
        message = f"The mapping of these bays is deleted: {', '.join(lost)}."
        findings.warning("forgets-teachings", "groups", message)
    if len(inventory.disks) > len(layout.labels):
        message = f"There are {len(inventory.disks)} disks and only {len(layout.labels)} bays."
        findings.info("few-bays", "groups", message)


def _lost(layout: Layout, inventory: Inventory) -> list[str]:
    return [bay.label for bay in inventory.bays if bay.taught and bay.label not in layout.labels]


def steps(layout: Layout) -> tuple[Step, ...]:
    """A step for each group, in words."""
    return tuple(
        Step(
            title=f"{layout.name}: {group.name} has {group.rows} × {group.columns} bays, "
            f"{group.printed[0]} to {group.printed[-1]}, by {group.order} from the {group.origin}",
            commands=(),
        )
        for group in layout.groups
    )


def _layout(request: SetChassis, findings: Findings) -> Layout | None:
    if request.profile:
        if request.groups:
            findings.error("both-given", "groups", "Name a profile, or describe the groups; not both.")
        known = PROFILES.get(request.profile)
        if known is None:
            message = f"Unknown profile. Known profiles: {', '.join(PROFILES)}."
            findings.error("unknown-profile", "profile", message)
            return None
        return msgspec.structs.replace(known, name=request.name) if request.name else known
    if not request.name:
        findings.error("required", "name", "Enter a name for the case.")
    if not request.groups:
        findings.error("required", "groups", "Name a profile, or describe the groups of bays.")
        return None
    return Layout(name=request.name, groups=request.groups)
