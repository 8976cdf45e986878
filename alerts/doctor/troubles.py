"""What open incidents report: pools that stand still, disks with errors, damaged files.

`alerts.incidents.causes` has the rules; here they are findings with the first remedy that is an operation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from alerts.doctor.finding import Check, DoctorFinding, Patient, Severity, Subject, figure
from alerts.incidents.cause import Cause
from alerts.incidents.causes import causes
from alerts.incidents.withheld import without_names

_STANDING = {"pool-suspended", "pool-faulted"}
# `alerts.doctor.links`, `alerts.doctor.snapshots` and `alerts.doctor.space` have these.
_HERE = {"link-vanished", "snapshots-failing", "pool-full"}
_COPIES = {"replication-late", "replication-failed", "replica-different", "rotation-blocked"}
_NO_TROUBLE = "may-unplug"
_CLOCK, _MEMORY = "schedule-failed", "memory-errors"
_SEVERITY: dict[str, Severity] = {"critical": "critical", "warning": "warning", "info": "advice"}


def _those(wanted: Callable[[Cause], bool], code: str) -> Callable[[Patient], Iterator[DoctorFinding]]:
    def examine(patient: Patient) -> Iterator[DoctorFinding]:
        for cause in causes(patient.inventory, patient.memory):
            if wanted(cause):
                yield _finding(cause, code)

    return examine


def _finding(cause: Cause, code: str) -> DoctorFinding:
    spot = cause.spots[0] if cause.spots else None
    report = without_names(cause)  # what it finds is the same for everybody; the alert says more
    subject = Subject(
        kind="disk" if spot else "machine" if cause.kind == _MEMORY else "pool", id=cause.subjects[0],
        name=cause.pool or cause.title,
        pool=cause.pool or None, bay=spot.bay if spot else None, disk=spot.id if spot and spot.here else None,
    )  # fmt: skip
    return DoctorFinding(
        code=code, severity=_SEVERITY[cause.severity], subject=subject, title=cause.title,
        why=" ".join(report[1:]) or report[0], evidence=(figure("Seen", report[0]),),
        fix=cause.steps,
    )  # fmt: skip


def _stands(cause: Cause) -> bool:
    return cause.kind in _STANDING


def _data(cause: Cause) -> bool:
    return cause.kind == "data-damaged"


def _disks(cause: Cause) -> bool:
    return (
        not _stands(cause)
        and not _data(cause)
        and cause.kind not in {*_HERE, *_COPIES, _CLOCK, _MEMORY, _NO_TROUBLE}
    )


def _copies(cause: Cause) -> bool:
    return cause.kind in _COPIES


def _clock(cause: Cause) -> bool:
    return cause.kind == _CLOCK


def _memory(cause: Cause) -> bool:
    return cause.kind == _MEMORY


CHECKS = (
    Check(code="pool-stands", passed="No pool is suspended", examine=_those(_stands, "pool-stands")),
    Check(code="disk-trouble", passed="No disk is missing, failing or has errors",
          examine=_those(_disks, "disk-trouble")),
    Check(code="memory-errors", passed="No memory module counts errors",
          examine=_those(_memory, "memory-errors")),
    Check(code="data-damaged", passed="No file is damaged", examine=_those(_data, "data-damaged")),
    Check(code="replication-late", passed="Every replication is fresh, and the same as its source",
          examine=_those(_copies, "replication-late")),
    Check(code="schedule-failed", passed="Everything that runs on schedule succeeded last time",
          examine=_those(_clock, "schedule-failed")),
)  # fmt: skip
