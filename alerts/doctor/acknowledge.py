"""doctor.acknowledge and doctor.recall: acknowledge a finding for a while, or withdraw that."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta

from alerts.doctor.examine import CHECKS, codes, examine
from alerts.doctor.finding import MACHINE, DoctorFinding
from alerts.evidence import Evidence
from alerts.incidents.acknowledge import check_note
from alerts.models import Acknowledgement
from host.inventory import Inventory
from jobs.plan import Plan, Step
from jobs.planning.findings import Findings
from jobs.wording import capital

FOR_GOOD = date.max
LONGEST, USUAL = timedelta(days=366), timedelta(days=180)
_KINDS = ("leaf:", "disk:", "pool:", "data:", "schedule:", "channel:", "memory:", "heat:")
Code = Annotated[str, Meta(min_length=1, max_length=64)]
SubjectId = Annotated[str, Meta(min_length=1, max_length=300)]


class AcknowledgeFinding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which finding, why it may stay, and until which day; half a year when left out. `for_good`: for ever,
    where the finding is of what only new hardware changes."""

    code: Code
    subject: SubjectId
    note: Annotated[str, Meta(max_length=1000)] = ""
    until: date | None = None
    for_good: bool = False


class RecallFinding(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which finding is to be reported again."""

    code: Code
    subject: SubjectId


def plan(request: AcknowledgeFinding, inventory: Inventory) -> Plan:
    """Raises `Refused` for what is no finding now, for one that takes a note, and for a day too far off."""
    findings = Findings()
    check_note(request.note, findings)
    found = _finding(request.code, request.subject, inventory, findings)
    today = datetime.fromisoformat(inventory.as_of).date()
    if request.until is not None and not today <= request.until <= today + LONGEST:
        message = f"Choose a day from {today} to {today + LONGEST}; after that it is reported again."
        findings.error("bad-day", "until", message)
    if request.for_good and (request.until is not None or found is None or not found.for_good):
        message = "Choose a day: only what new hardware would change is acknowledged for good, without a day."
        findings.error("not-for-good", "for_good", message)
    if found and found.needs_note and not request.note.strip():
        message = "Say why you ignore it, or where the copy is: this is shown when the finding comes back."
        findings.error("note-needed", "note", message)
    findings.refuse_on_error()
    title = f"Acknowledge “{found.title if found else request.code}”"
    return Plan(
        operation="doctor.acknowledge",
        steps=(Step(title=title, commands=()),),
        summary=_summary(request, found, _until(request, today), inventory),
        claims=(f"finding:{request.code}:{request.subject}"[:300],),
    )


def plan_withdraw(request: RecallFinding, inventory: Inventory) -> Plan:
    """Raises `Refused` for a code that no finding has."""
    findings = Findings()
    _check_code(request.code, findings)
    findings.refuse_on_error()
    step = Step(title=f"Report “{request.code}” of {request.subject} again", commands=())
    claims = (f"finding:{request.code}:{request.subject}"[:300],)
    found = _finding(request.code, request.subject, inventory, Findings())  # it may not be true any more
    summary = f"The doctor reports {_called(request, found, inventory)} again, for as long as it is true."
    return Plan(operation="doctor.recall", steps=(step,), summary=summary, claims=claims)


def _summary(
    request: AcknowledgeFinding, found: DoctorFinding | None, until: date, inventory: Inventory
) -> str:
    called = capital(_called(request, found, inventory))
    if request.for_good:
        return f"{called} is acknowledged for good and listed apart, until you ask for it again."
    return f"{called} is acknowledged and listed apart until {until}. After that the doctor reports it again."


def _until(request: AcknowledgeFinding, today: date) -> date:
    return FOR_GOOD if request.for_good else request.until or today + USUAL


def _called(
    request: AcknowledgeFinding | RecallFinding, found: DoctorFinding | None, inventory: Inventory
) -> str:
    if found:
        return f"“{found.title}”"
    names = {pool.guid: pool.name for pool in inventory.pools} | {MACHINE.id: MACHINE.name}
    check = next((f"of the check “{one.passed}”" for one in CHECKS if one.code == request.code), request.code)
    return f"the finding {check} ({names.get(request.subject, request.subject)})"


def remember(request: AcknowledgeFinding, inventory: Inventory, actor: str) -> None:
    """Store the acknowledgement in place of an earlier one."""
    today = datetime.fromisoformat(inventory.as_of).date()
    Acknowledgement.objects.update_or_create(
        code=request.code,
        subject=request.subject,
        defaults={
            "note": request.note.strip(), "at": timezone.now(), "by": actor,
            "until": _until(request, today),
        },
    )  # fmt: skip


def forget(request: RecallFinding, _inventory: Inventory, _actor: str) -> None:
    """Delete the acknowledgement."""
    Acknowledgement.objects.filter(code=request.code, subject=request.subject).delete()


def _finding(code: str, subject: str, inventory: Inventory, findings: Findings) -> DoctorFinding | None:
    if not _check_code(code, findings):
        return None
    # What is remembered only adds findings: what needs it can be acknowledged by its code alone.
    found = [one for one in examine(inventory, Evidence()).findings if one.code == code]
    for one in found:
        if one.subject.id == subject:
            return one
    subjects = {pool.guid for pool in inventory.pools} | {"machine"}
    subjects |= {disk.serial or disk.id for disk in inventory.disks}
    subjects |= {dataset.name for dataset in inventory.datasets} | {one.subject.id for one in found}
    if subject not in subjects and not subject.startswith(_KINDS):
        findings.error("no-such-subject", "subject", "Use the subject's id, as the finding has it.")
    return None


def _check_code(code: str, findings: Findings) -> bool:
    if code in codes():
        return True
    findings.error(
        "no-such-code", "code", f"No finding has this code. Known are {', '.join(sorted(codes()))}."
    )
    return False
