"""disk.smart-test: a self-test inside the disk, which goes on working meanwhile."""

from __future__ import annotations

from typing import Literal

import msgspec
from django.db import transaction

from disks.choice import DiskName, SerialText, choose, in_words
from disks.history import record_event
from disks.records import record_of
from host.commands.disks.smart import SmartTest
from host.inventory import Disk, Inventory
from jobs.broker import send
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.planning.words import named, roughly

Kind = Literal["short", "long", "abort"]
BY_ITSELF = "schedule"  # who asks where the clock does


class RunSelfTest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Start a self-test, or abort the one that runs."""

    disk: DiskName
    serial: SerialText | None = None
    kind: Kind


def plan(request: RunSelfTest, inventory: Inventory) -> Plan:
    """Raises `Refused` for an unknown disk, and where a test runs already or none does."""
    findings = Findings()
    disk = choose(request.disk, request.serial, inventory, findings)
    running = disk.test_remaining_percent
    if request.kind != "abort":
        if running is not None:
            message = f"A self-test is already running, {running} % remaining. Abort it first."
            findings.error("test-running", "kind", message)
        if disk.asleep:
            findings.info("wakes", "disk", "The disk is asleep; the test will wake it.")
    findings.refuse_on_error()
    command = SmartTest(disk=disk.link, kind=request.kind, bridge=disk.bridge)
    step = Step(title=_title(request.kind, disk), commands=(command,))
    return Plan(
        operation="disk.smart-test",
        steps=(step,),
        summary=_summary(request.kind, disk),
        takes=_takes(request.kind, disk),
        findings=findings.all(),
        claims=(f"disk:{disk.id}",),
    )


def _summary(kind: Kind, disk: Disk) -> str:
    if kind == "abort":
        return f"The self-test of the {named(disk)} ends without a result."
    what = "a long self-test, which reads all of it" if kind == "long" else "a short self-test"
    return f"The {named(disk)} runs {what}. The result appears on the disk's page."


def _takes(kind: Kind, disk: Disk) -> str:
    if kind == "abort":
        return ""
    minutes = _minutes(kind, disk)
    usual = "a few minutes" if kind == "short" else "hours for large disks"
    return f"{roughly(60 * minutes) if minutes else usual}; the disk stays usable"


def remember(request: RunSelfTest, inventory: Inventory, actor: str) -> None:
    """Tell it in the disk's story, and look at the disk soon."""
    disk = inventory.disk(request.disk)
    record = record_of(disk.id) if disk else None
    if record is None:
        return
    what = (
        "Self-test aborted" if request.kind == "abort" else f"{request.kind.capitalize()} self-test started"
    )
    record_event(record, "test", f"{what} on schedule" if actor == BY_ITSELF else what)
    transaction.on_commit(lambda: send("disks.tasks.read_one", record.pk))


def _title(kind: Kind, disk: Disk) -> str:
    if kind == "abort":
        return f"Abort the self-test, {in_words(disk)}"
    minutes = _minutes(kind, disk)
    takes = f" (about {_span(minutes)})" if minutes else ""
    return f"Start a {kind} self-test{takes}, {in_words(disk)}"


def _minutes(kind: Kind, disk: Disk) -> int | None:
    return disk.short_test_minutes if kind == "short" else disk.long_test_minutes


def _span(minutes: int) -> str:
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.0f} h"
