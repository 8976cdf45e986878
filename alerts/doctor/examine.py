"""Goes through all checks and sorts what they say."""

from __future__ import annotations

from datetime import datetime

import msgspec

from alerts.doctor import (
    arrays,
    boot,
    care,
    channels,
    copies,
    datasets,
    disks,
    layout,
    limits,
    links,
    shares,
    snapshots,
    software,
    space,
    troubles,
)
from alerts.doctor.finding import RANKS, Check, DoctorFinding, Patient, Unexamined
from alerts.evidence import Evidence
from host.inventory import Inventory

CHECKS: tuple[Check, ...] = (
    *troubles.CHECKS, *links.CHECKS, *software.CHECKS, *boot.CHECKS, *layout.CHECKS, *space.CHECKS,
    *care.CHECKS, *datasets.CHECKS, *limits.CHECKS, *snapshots.CHECKS, *shares.CHECKS, *channels.CHECKS,
    *arrays.CHECKS, *copies.CHECKS, *disks.CHECKS,
)  # fmt: skip


class Passed(msgspec.Struct, frozen=True, kw_only=True):
    """A check that found nothing."""

    code: str
    words: str


class Unknown(msgspec.Struct, frozen=True, kw_only=True):
    """A check that could not read everything."""

    code: str
    words: str


class Examination(msgspec.Struct, frozen=True, kw_only=True):
    """All findings, worst first; those that are acknowledged apart; and what is well or could not be read."""

    as_of: str
    findings: tuple[DoctorFinding, ...]
    acknowledged: tuple[DoctorFinding, ...]
    passed: tuple[Passed, ...]
    unknown: tuple[Unknown, ...]


def examine(inventory: Inventory, memory: Evidence) -> Examination:
    """Every check on the machine as it was at the inventory's time. Pure."""
    patient = Patient(inventory=inventory, memory=memory, at=datetime.fromisoformat(inventory.as_of))
    findings: list[DoctorFinding] = []
    passed: list[Passed] = []
    unknown: list[Unknown] = []
    for check in CHECKS:
        said = list(check.examine(patient))
        findings += (one for one in said if isinstance(one, DoctorFinding))
        unseen = [Unknown(code=check.code, words=one.words) for one in said if isinstance(one, Unexamined)]
        unknown += unseen
        if not said:
            passed.append(Passed(code=check.code, words=check.passed))
    findings = [_with_acknowledgement(finding, patient) for finding in findings]
    findings.sort(key=lambda finding: RANKS[finding.severity])
    return Examination(
        as_of=inventory.as_of,
        findings=tuple(finding for finding in findings if finding.acknowledged is None),
        acknowledged=tuple(finding for finding in findings if finding.acknowledged is not None),
        passed=tuple(passed),
        unknown=tuple(unknown),
    )


def codes() -> frozenset[str]:
    """Every code that a finding can have, beside those of the checks themselves."""
    return frozenset({*(check.code for check in CHECKS), "spare-too-small"})


def _with_acknowledgement(finding: DoctorFinding, patient: Patient) -> DoctorFinding:
    known = patient.memory.acknowledged.get((finding.code, finding.subject.id))
    if known is None or known.until < f"{patient.at:%Y-%m-%d}":
        return finding
    return msgspec.structs.replace(finding, acknowledged=known)
