"""Quotas that are reached or nearly reached, and datasets that wait to be unlocked."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from alerts.doctor.finding import Check, DoctorFinding, Patient, Subject, figure
from alerts.doctor.words import size
from alerts.remedy import Remedy
from host.inventory import Dataset

NEARLY_PERCENT, REACHED_PERCENT = 90, 100
# ZFS counts a quota against all with snapshots and what is below, a refquota against the files alone.
_COUNTED = (("quota", "used"), ("refquota", "referenced"))


def _quotas(patient: Patient) -> Iterator[DoctorFinding]:
    answering = {pool.name for pool in patient.pools}
    for dataset in patient.inventory.datasets:
        if dataset.pool in answering and (found := _fullest(dataset)):
            yield _finding(dataset, *found)


def _fullest(dataset: Dataset) -> tuple[str, int, int] | None:
    """The quota that is reached first with what counts against it and its size, from `NEARLY_PERCENT` on."""
    bounded = [
        (limit, dataset.number(used), dataset.number(limit))
        for limit, used in _COUNTED
        if dataset.number(limit) and 100 * dataset.number(used) >= NEARLY_PERCENT * dataset.number(limit)
    ]
    return max(bounded, key=lambda one: one[1] / one[2], default=None)


def _finding(dataset: Dataset, limit: str, used: int, bound: int) -> DoctorFinding:
    percent = 100 * used / bound
    reached = percent >= REACHED_PERCENT
    here = f"/quotas/{quote(dataset.name)}/"
    return DoctorFinding(
        code="quota-reached", severity="warning",
        subject=Subject(kind="dataset", id=dataset.name, name=dataset.name, pool=dataset.pool),
        title=f"{dataset.name} has reached its quota" if reached
        else f"{dataset.name} has taken {percent:.0f} % of its quota",
        why="Nothing more can be written to it: programs fail with “Disk quota exceeded”." if reached
        else "When it is reached, programs that write to it fail with “Disk quota exceeded”.",
        evidence=(
            figure("Taken", size(used)), figure("Quota" if limit == "quota" else "Refquota", size(bound)),
            figure("Used by its snapshots alone", size(dataset.number("usedbysnapshots"))),
        ),
        fix=(
            Remedy(words="Raise or remove it, or see who uses how much.", page=here, label="Quotas"),
            Remedy(words="Or delete what nobody needs."
                   + (" Its snapshots count too." if limit == "quota" else "")),
        ),
    )  # fmt: skip


def _locked(patient: Patient) -> Iterator[DoctorFinding]:
    answering = {pool.name for pool in patient.pools}
    for dataset in patient.inventory.datasets:
        if dataset.pool not in answering or dataset.value("keystatus") != "unavailable":
            continue
        if dataset.value("encryptionroot") != dataset.name:
            continue  # reported with its root
        yield DoctorFinding(
            code="dataset-locked", severity="advice",
            subject=Subject(kind="dataset", id=dataset.name, name=dataset.name, pool=dataset.pool),
            title=f"{dataset.name} is locked",
            why="Nothing is wrong: it is encrypted and needs its passphrase or key, as after every start. "
            "Its files cannot be reached until then.",
            fix=(Remedy(words="Unlock it.", page="/datasets/locked/", label="Unlock"),),
        )  # fmt: skip


CHECKS = (
    Check(code="quota-reached", passed="No dataset has reached its quota", examine=_quotas),
    Check(code="dataset-locked", passed="No encrypted dataset is locked", examine=_locked),
)
