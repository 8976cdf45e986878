"""Whether the console's own settings would outlive its flash drives."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.doctor.finding import MACHINE, Check, DoctorFinding, Patient, figure
from alerts.doctor.words import span
from alerts.remedy import Remedy

_OLD_S = 36 * 3600.0  # they are checked once a day
_PAGE = Remedy(
    words="See the state of each pool, and back up now.", page="/settings/copies/", label="Settings backup"
)


def _copies(patient: Patient) -> Iterator[DoctorFinding]:
    care = patient.memory.copies
    if care is None:
        return
    if not care.enabled:
        yield DoctorFinding(
            code="settings-not-copied", severity="advice", subject=MACHINE,
            title="Settings backup is turned off",
            why="Shares, people, accounts, schedules and bays are only on the flash drives, and are lost "
            "with them.",
            fix=(_PAGE,),
        )  # fmt: skip
    elif care.ages and not any(age is not None and age < _OLD_S for _, age in care.ages):
        yield DoctorFinding(
            code="settings-not-copied", severity="warning", subject=MACHINE,
            title="No settings backup was verified within the last day",
            why="If the flash drives fail now, changes since the last backup are lost.",
            evidence=tuple(
                figure(pool, "never" if age is None else f"{span(age)} ago") for pool, age in care.ages[:10]
            ),
            fix=(_PAGE,),
        )  # fmt: skip


CHECKS = (Check(code="settings-not-copied", passed="The settings are backed up to a pool", examine=_copies),)
