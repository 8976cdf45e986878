"""disk.schedule-self-tests: one disk tests itself as all do, at intervals of its own, or never."""

from __future__ import annotations

import msgspec

from disks.choice import DiskName, SerialText, choose, in_words
from disks.records import record_of
from disks.self_tests import stored
from disks.self_tests.settings import Days, DiskSchedule, Which
from disks.self_tests.words import every
from host.inventory import Disk, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named


class ScheduleSelfTests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`usual`: as the machine's settings say. `own`: every so many days, where null means never. `off`: no
    self-tests on schedule. The hours and the number of disks at once are those of the machine."""

    disk: DiskName
    serial: SerialText | None = None
    which: Which
    short_days: Days | None = None
    long_days: Days | None = None


def plan(request: ScheduleSelfTests, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown disk, and for intervals without or beside `own`."""
    findings = Findings()
    disk = choose(request.disk, request.serial, inventory, findings)
    given = request.short_days is not None or request.long_days is not None
    if request.which == "own" and not given:
        message = "Give the days between short tests, between long ones, or both; or choose “off”."
        findings.error("days-needed", "short_days", message)
    if request.which != "own" and given:
        field = "short_days" if request.short_days is not None else "long_days"
        findings.error("days-not-taken", field, "Days are only for intervals of its own: choose “own”.")
    if request.which == "off":
        message = "Without self-tests, damage on this disk is noticed only when what lies there is read."
        findings.info("never-tested", "which", message)
    findings.refuse_on_error()
    return Plan(
        operation="disk.schedule-self-tests",
        steps=(Step(title=f"Self-tests on schedule: {request.which}, {in_words(disk)}", commands=()),),
        summary=_summary(request, disk),
        findings=findings.all(),
        claims=(f"self-tests:{disk.id}",),
    )


def remember(request: ScheduleSelfTests, inventory: Inventory, _actor: str) -> None:
    """Store it with the disk."""
    disk = inventory.disk(request.disk)
    record = record_of(disk.id) if disk else None
    if record is not None:
        stored.keep_schedule(record, _schedule(request))


def _schedule(request: ScheduleSelfTests) -> DiskSchedule:
    return DiskSchedule(which=request.which, short_days=request.short_days, long_days=request.long_days)


def _summary(request: ScheduleSelfTests, disk: Disk) -> str:
    if request.which == "off":
        return f"The {named(disk)} no longer tests itself on schedule."
    if request.which == "usual":
        return f"The {named(disk)} tests itself as often as the settings of the machine say."
    kinds = (("short", request.short_days), ("long", request.long_days))
    said = [f"a {kind} self-test {every(days)}" for kind, days in kinds if days]
    return f"The {named(disk)} runs {' and '.join(said)}."
