"""Regular care: scrubs, upgrades of features, a copy elsewhere.

- Scrub monthly: openzfs-docs and zpool-scrub(8) leave it to the owner, Debian's zfsutils-linux does it on the
  second Sunday of each month; 35 days is a month with some days of grace.
- Features: zpool-upgrade(8). There is no way back, so it is advice and never more.
- A pool is no backup: what deletes or encrypts files does so on all its disks at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from alerts import remedy
from alerts.copied import uncopied
from alerts.doctor.finding import Check, DoctorFinding, Patient, Unexamined, figure, of_pool
from alerts.doctor.words import days, span
from alerts.remedy import Remedy
from host.inventory import Dataset, DatasetCopy
from jobs.schedules.overdue import days_without_scrub, longest_age_days, overdue
from jobs.wording import listed


def _scrub(patient: Patient) -> Iterator[DoctorFinding | Unexamined]:
    """`jobs.schedules.overdue` has the rule: 35 days, or what the pool's schedule says."""
    for pool in patient.pools:
        since = days_without_scrub(pool, patient.inventory, patient.at)
        if since is None:
            yield Unexamined(words=f"It is not known when {pool.name} was last scrubbed.")
        if overdue(pool, patient.inventory, patient.at) is None or since is None:
            continue
        never = pool.last_scrub is None
        yield DoctorFinding(
            code="scrub-overdue", severity="warning", subject=of_pool(pool),
            title=f"{pool.name} has not been scrubbed in the {days(since)} since it was created" if never
            else f"{pool.name} was last scrubbed {days(since)} ago",
            why="Data that nobody reads goes bad unnoticed. A scrub reads everything and repairs damage "
            "while there is still a good copy; on the day a disk fails it is too late.",
            evidence=(
                figure("Last scrub", (pool.last_scrub or "")[:10] or "none that is known"),
                figure("Overdue after", days(longest_age_days(pool, patient.inventory))),
            ),
            fix=(
                remedy.scrub(pool.name, "Start a scrub now. It can be paused, and the pool stays usable."),
                remedy.of_pool(
                    pool.name, "Check whether its schedule runs, and when.", "Schedule", "schedule/scrub/"
                ),
            ),
        )  # fmt: skip


def _upgrade(patient: Patient) -> Iterator[DoctorFinding]:
    for pool in patient.pools:
        if pool.to_upgrade and not pool.readonly:
            yield DoctorFinding(
                code="features-to-upgrade", severity="advice", subject=of_pool(pool),
                title=f"{pool.name} could use {len(pool.to_upgrade)} newer features",
                why="It works as it is. Newer features make some things faster, but once they are in use, "
                "an older ZFS can no longer read the pool: wait until you are sure that you will not go "
                "back.",
                evidence=(figure("Features", listed(sorted(pool.to_upgrade))),),
                fix=(Remedy(words="Enable them. There is no way back.", operation="pool.upgrade",
                            request={"name": pool.name}),),
            )  # fmt: skip


def _copy(patient: Patient) -> Iterator[DoctorFinding]:
    """Reported until every dataset has a copy that is fresh and proven, or the owner says where one is."""
    copies = patient.memory.elsewhere
    for pool in patient.inventory.pools:
        lost = uncopied(pool, patient.inventory, copies, patient.at)
        guids = {one.guid for one in patient.inventory.datasets if one.pool == pool.name}
        known = [copy for copy in copies if copy.guid in guids]
        if known and not lost:
            continue
        yield DoctorFinding(
            code="no-copy", severity="advice", subject=of_pool(pool),
            title=f"No copy of {pool.name} elsewhere is known"
            if not known
            else f"Not all of {pool.name} has a fresh, proven copy elsewhere",
            why="Redundancy helps against failed disks. It does not help against deleting, fire, theft, "
            "a bad power supply or malware, all of which take every disk at once. A pool is no backup.",
            evidence=tuple(figure(one.name, _why_lost(one, known, patient.at)) for one in lost[:10])
            if known
            else (figure("Copies known", "none"),),
            fix=(Remedy(words="Back it up to a repository, and let that be checked.", page="/backups/",
                        label="Backups"),
                 Remedy(words="Or copy what you cannot lose to another machine or to disks that you unplug, "
                              "and acknowledge this, saying where the copy is. It is reported again when "
                              "that expires."),),
            needs_note=True,
        )  # fmt: skip


def _why_lost(dataset: Dataset, known: Sequence[DatasetCopy], at: datetime) -> str:
    ours = [copy for copy in known if copy.guid == dataset.guid]
    if not ours:
        return "no copy"
    if not any(copy.made_at for copy in ours):
        return "not stored yet"
    if not any(copy.proven_at for copy in ours):
        return "never read back"
    stored = max(copy.made_at for copy in ours if copy.made_at)
    return f"stored {span(max(0.0, (at - datetime.fromisoformat(stored)).total_seconds()))} ago"


CHECKS = (
    Check(code="scrub-overdue", passed="No pool went too long without a scrub", examine=_scrub),
    Check(code="features-to-upgrade", passed="Pools use all features of this ZFS", examine=_upgrade),
    Check(code="no-copy", passed="There is a copy of every pool elsewhere", examine=_copy),
)
