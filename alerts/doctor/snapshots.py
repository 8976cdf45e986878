"""Scheduled snapshots: whether they are taken, whether a policy can be read, what waits for its owner.

A snapshot that is not there cannot be gone back to, and nobody notices before the day it is needed: an inline
comment switched off the pruning of another program for weeks, and a policy edited blindly left a single
snapshot (public issues sanoid 899, zrepl 94 and 651).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from urllib.parse import quote

from alerts import remedy
from alerts.doctor.finding import Check, DoctorFinding, Patient, Subject, Unexamined, figure, of_pool
from alerts.doctor.words import span
from alerts.evidence import SnapshotCare
from alerts.remedy import Remedy
from jobs.wording import listed


def _overdue(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    """One finding for each dataset that has the policy: what inherits it is late for the same reason."""
    late: dict[str, list[SnapshotCare]] = defaultdict(list)
    for one in _answering(patient):
        if one.longest_age_s is None:
            continue
        if one.age_s is None:
            yield Unexamined(words=f"It is not known how old the newest snapshot of {one.dataset} is.")
        elif one.age_s > one.longest_age_s:
            late[one.source].append(one)
    for source, ones in late.items():
        worst = max(ones, key=lambda one: one.age_s or 0)
        names = [one.dataset for one in ones]
        never = worst.newest is None
        yield DoctorFinding(
            code="snapshots-overdue", severity="warning", subject=_dataset(source),
            title=f"{listed(names, 3)} {'has' if len(names) == 1 else 'have'} no recent snapshot",
            why="What is deleted or overwritten by mistake now can only be restored as it was at that time.",
            evidence=(
                figure("Newest snapshot", "none that the policy took" if never else
                       f"{span(worst.age_s or 0)} ago"),
                figure("May be as old as", span(worst.longest_age_s or 0)),
                figure("Policy", worst.policy),
            ),
            fix=(
                Remedy(words="See when the next one is due and what the last run reported.",
                       page="/policies/", label="Policies"),
                Remedy(words="Or take one now.", operation="snapshot.create",
                       request={"datasets": [source], "recursive": True,
                                "name": f"by-hand_{patient.at:%Y-%m-%dT%H.%M.%SZ}"}),
            ),
        )  # fmt: skip


def _failing(patient: Patient) -> Iterator[DoctorFinding]:
    for pool in patient.pools:
        trouble = patient.memory.policies_failing.get(pool.guid)
        if trouble is None:
            continue
        where = f"/jobs/{trouble.job}/" if trouble.job else "/policies/"
        yield DoctorFinding(
            code="policy-run-failing", severity="warning", subject=of_pool(pool),
            title=f"Scheduled snapshots of {pool.name} cannot be taken",
            why="It is tried again every 15 minutes. Until then nothing newer can be restored.",
            evidence=(figure("Since", trouble.since), figure("Said", trouble.said or "see the job")),
            fix=(Remedy(words="See what the last run reported.", page=where, label="The last run"),),
        )  # fmt: skip


def _unreadable(patient: Patient) -> Iterator[DoctorFinding]:
    """One finding where the text is set, not for all that inherit it."""
    seen: set[str] = set()
    for one in _answering(patient):
        if not one.fault or one.source in seen:
            continue
        seen.add(one.source)
        yield DoctorFinding(
            code="policy-unreadable", severity="warning", subject=_dataset(one.source),
            title=f"The snapshot policy of {one.source} cannot be read",
            why="It was written by hand. Nothing is taken or deleted there and below until it is corrected.",
            evidence=(figure("Text", one.policy[:200]), figure("Wrong with it", one.fault)),
            fix=(
                Remedy(words="Write it anew.", page=f"/policies/{quote(one.source)}/", label="Its policy"),
                Remedy(words="Or remove it, so that the inherited one applies.", operation="policy.set",
                       request={"dataset": one.source, "policy": None}),
            ),
        )  # fmt: skip


def _waiting(patient: Patient) -> Iterator[DoctorFinding]:
    waiting: dict[str, list[SnapshotCare]] = defaultdict(list)
    for one in _answering(patient):
        if one.waiting:
            waiting[one.dataset.partition("/")[0]].append(one)
    for pool in patient.pools:
        if not (ones := waiting.get(pool.name)):
            continue
        count = sum(one.waiting for one in ones)
        yield DoctorFinding(
            code="deleting-waits", severity="advice", subject=of_pool(pool),
            title=f"{count} snapshots in {pool.name} are due for deletion and need your check",
            why="A run usually deletes about as many as it takes. So many at once mean that a policy was "
            "changed by hand, that deletions were postponed, or that the clock is wrong; none is deleted "
            "automatically.",
            evidence=(figure("Datasets", listed([one.dataset for one in ones])),),
            fix=(
                Remedy(words="Check what would be deleted, and delete it.", operation="policy.prune",
                       request={"pool": pool.name}),
            ),
        )  # fmt: skip


def _ahead(patient: Patient) -> Iterator[DoctorFinding]:
    wrong: dict[str, list[SnapshotCare]] = defaultdict(list)
    for one in _answering(patient):
        if one.ahead is not None:
            wrong[one.dataset.partition("/")[0]].append(one)
    for pool in patient.pools:
        if not (ones := wrong.get(pool.name)):
            continue
        last = max(one.ahead or "" for one in ones)
        yield DoctorFinding(
            code="snapshots-ahead", severity="advice", subject=of_pool(pool),
            title=f"{pool.name} has snapshots dated in the future",
            why="The clock was wrong when they were taken. They count in place of others in the policy, "
            "and nothing deletes them before that day.",
            evidence=(figure("Latest", last), figure("Datasets", listed([one.dataset for one in ones]))),
            fix=(
                Remedy(words="Check that the clock is right and set by the network:",
                       commands=("timedatectl status",)),
                remedy.of_pool(pool.name, "Then delete those that nobody needs.", "The pool"),
            ),
        )  # fmt: skip


def _answering(patient: Patient) -> Iterable[SnapshotCare]:
    names = {pool.name for pool in patient.pools}
    return (one for one in patient.memory.snapshots if one.dataset.partition("/")[0] in names)


def _dataset(name: str) -> Subject:
    return Subject(kind="dataset", id=name, name=name, pool=name.partition("/")[0])


CHECKS = (
    Check(code="snapshots-overdue", passed="Snapshots are as recent as their policies require",
          examine=_overdue),
    Check(code="policy-run-failing", passed="Scheduled snapshots are taken", examine=_failing),
    Check(code="policy-unreadable", passed="Every snapshot policy can be read", examine=_unreadable),
    Check(code="deleting-waits", passed="No deletion needs your check", examine=_waiting),
    Check(code="snapshots-ahead", passed="No snapshot is dated in the future", examine=_ahead),
)  # fmt: skip
