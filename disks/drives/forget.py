"""disk.forget: a disk that left for good is remembered no longer."""

from __future__ import annotations

import msgspec

from disks.choice import DiskName, SerialText, choose, in_words
from disks.models import DiskRecord
from host.inventory import Absent, Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import counted


class ForgetDisk(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Forget a disk that left: its record, story, note and readings. Its bay is no longer said to miss it.

    What is left are the points of its time series, which age out by themselves, and jobs that name it.
    """

    disk: DiskName
    serial: SerialText | None = None


def plan(request: ForgetDisk, inventory: Inventory) -> Plan:
    """Raises `Refused` for a disk that is here, and for one that nobody ever saw."""
    findings = Findings()
    left = next((absent for absent in inventory.gone if absent.id == request.disk), None)
    if left is None or inventory.disk(request.disk) is not None:
        here = choose(request.disk, request.serial, inventory, findings)
        message = f"The disk is present, {in_words(here)}. Only removed disks can be forgotten."
        findings.refuse("disk-present", "disk", message)
    if request.serial is not None and left.serial != request.serial:
        message = f"The removed disk had the serial {left.serial or 'unknown'}, not {request.serial[:80]}."
        findings.refuse("wrong-serial", "serial", message)
    findings.warning("forgets", "disk", _lost(left))
    place = f", last in bay {left.bay}" if left.bay else ""
    title = f"Forget the disk with serial {left.serial or 'unknown'}: {left.model}{place}"
    return Plan(
        operation="disk.forget",
        steps=(Step(title=title, commands=()),),
        summary=_summary(left),
        findings=findings.all(),
        claims=(f"disk:{left.id}",),
    )


def _summary(left: Absent) -> str:
    which = f"disk {left.serial or left.model}" + (f", last in bay {left.bay}," if left.bay else "")
    entries = counted(left.events or 0, "entry", "entries")
    note = ", the note on it" if left.noted else ""
    return (
        f"The {which} is removed from the console's records. Its history of {entries}{note} and its SMART "
        "readings are deleted for good. If the disk ever comes back, it is treated as a new one."
    )


def remember(request: ForgetDisk, _inventory: Inventory, _actor: str) -> None:
    """Delete its record with all that belongs to it."""
    DiskRecord.objects.filter(last_id=request.disk, gone_since__isnull=False).delete()


def _lost(left: Absent) -> str:
    entries = "1 entry" if left.events == 1 else f"{left.events or 0} entries"
    note = " and the note on it" if left.noted else ""
    return (
        f"Its history of {entries}{note}, its SMART readings and burn-in are deleted for good. If it ever "
        "comes back, it is treated as a new disk."
    )
