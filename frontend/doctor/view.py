"""What the doctor says, as values for the eye."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from alerts.doctor.finding import DoctorFinding, Severity
from alerts.evidence import Acknowledged
from disks.links import disk_href
from frontend.alerts.remedy import RemedyView, remedies
from frontend.states import StateView, tone_view
from pools.links import dataset_href, pool_href

_GROUPS: tuple[tuple[Severity, str], ...] = (
    ("critical", "Fix now"),
    ("warning", "Fix soon"),
    ("advice", "Good to know"),
)
_STATES: dict[Severity, StateView] = {
    "critical": tone_view("bad", "now"),
    "warning": tone_view("warn", "soon"),
    "advice": tone_view("idle", "advice"),
}


class FindingView(msgspec.Struct, frozen=True, kw_only=True):
    """One finding with what speaks for it and what mends it."""

    key: str  # for anchors and fields
    code: str
    subject: str
    severity: Severity
    state: StateView
    title: str
    why: str
    evidence: tuple[tuple[str, str], ...]
    steps: tuple[RemedyView, ...]
    href: str
    name: str
    needs_note: bool
    for_good: bool
    acknowledged: Acknowledged | None


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Findings that are equally bad."""

    title: str
    findings: tuple[FindingView, ...]


def finding_key(code: str, subject: str) -> str:
    """A name for anchors and fields."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", f"{code}-{subject}")


def groups(findings: Sequence[FindingView]) -> tuple[Group, ...]:
    """The worst first; none that is empty."""
    found = (
        Group(title=title, findings=tuple(one for one in findings if one.severity == severity))
        for severity, title in _GROUPS
    )
    return tuple(group for group in found if group.findings)


def view(finding: DoctorFinding, user: Any) -> FindingView:
    """A finding with its buttons."""
    subject = finding.subject
    href = ""
    if subject.disk:
        href = disk_href(subject.disk)
    elif subject.kind == "dataset":
        href = dataset_href(subject.name)
    elif subject.kind == "pool" and finding.code != "pool-not-imported":
        href = pool_href(subject.name)
    return FindingView(
        key=finding_key(finding.code, subject.id),
        code=finding.code, subject=subject.id, severity=finding.severity, state=_STATES[finding.severity],
        title=finding.title, why=finding.why,
        evidence=tuple((figure.name, figure.value) for figure in finding.evidence),
        steps=remedies(finding.fix, user), href=href, name=subject.name, needs_note=finding.needs_note,
        for_good=finding.for_good, acknowledged=finding.acknowledged,
    )  # fmt: skip
