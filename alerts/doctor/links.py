"""By which names pools know their disks.

- Names such as sda are given in the order in which the kernel finds disks, and change between two starts:
  openzfs-docs, "Selecting /dev/ names when creating a pool". A pool made so may not be found (issue 65 of
  easyzfs), or a plan may mean another disk.
- Of the links under /dev/disk/by-id some are made by one release of udev and not by the next: pools on
  `scsi-…` links were UNAVAIL after an upgrade that made `ata-…` only. Export and import by id mends both.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from alerts.doctor.finding import (
    Check,
    DoctorFinding,
    Patient,
    Subject,
    figure,
    of_pool,
)
from alerts.incidents.members import all_members
from alerts.incidents.renamed import renamed
from alerts.remedy import Remedy, as_root
from host.inventory import Pool, Vdev, leaves
from jobs.wording import listed

_KERNEL_NAME = re.compile(r"/dev/(sd[a-z]+|nvme[0-9]+n[0-9]+|vd[a-z]+|xvd[a-z]+)[p0-9]*\Z")
_WAIT = "The pool is offline for some seconds."


def _unstable(patient: Patient) -> Iterator[DoctorFinding]:
    for pool in patient.pools:
        names = [leaf.path or "" for leaf in _all(pool) if _KERNEL_NAME.match(leaf.path or "")]
        if names:
            yield DoctorFinding(
                code="kernel-names", severity="warning", subject=of_pool(pool),
                title=f"{pool.name} knows disks by names that change",
                why="The kernel assigns names like sda anew at every start. One day the pool may look for "
                "a disk where another one is, and cannot be imported.",
                evidence=(figure("Paths of its members", listed(names)),),
                fix=(_relink(pool.name),),
            )  # fmt: skip


def _vanished(patient: Patient) -> Iterator[DoctorFinding]:
    members = all_members(patient.inventory, patient.memory)
    for pool in patient.inventory.pools:
        lost = [m for m in renamed(members, patient.inventory) if m.pool.guid == pool.guid]
        if not lost:
            continue
        yield DoctorFinding(
            code="links-vanished", severity="critical", subject=of_pool(pool),
            title=f"{pool.name} looks for disks under names that no longer exist",
            why="The disks are present, but under other names, as after a system update that creates "
            "different links. Nothing on them is lost; until this is fixed the pool runs without them.",
            evidence=(
                figure("Names that no longer exist", listed([m.leaf.path or m.leaf.name for m in lost])),
                figure("Disks with their labels", len(lost)),
            ),
            fix=(_relink(pool.name),),
        )  # fmt: skip


def _not_imported(patient: Patient) -> Iterator[DoctorFinding]:
    """Pools whose labels are here, known from the claims of disks: no disk is woken for it."""
    here = {pool.guid for pool in patient.inventory.pools}
    disks: dict[tuple[str, str], list[str]] = defaultdict(list)
    for disk in patient.inventory.disks:
        for claim in disk.claims:
            if claim.kind == "exported-pool" and claim.pool_guid and claim.pool_guid not in here:
                name = f"bay {disk.bay}" if disk.bay else disk.id
                disks[claim.pool_guid, claim.pool or "?"].append(name)
    for (guid, name), places in sorted(disks.items(), key=lambda entry: entry[0][1]):
        yield DoctorFinding(
            code="pool-not-imported", severity="warning",
            subject=Subject(kind="pool", id=guid, name=name, pool=name),
            title=f"Pool {name} is present but not imported",
            why="Its disks are in the machine, but nothing in it can be reached. If nobody exported it, "
            "the names of its disks may have changed since the last start; importing it by id finds them "
            "again.",
            evidence=(figure("Its label is on", listed(places)), figure("guid", guid)),
            fix=(
                Remedy(words="Read the labels of all disks first, which wakes them.",
                       page="/import/", label="Scan for pools"),
                Remedy(words="Import it by the most stable names of its disks.", operation="pool.import",
                       request={"guid": guid}),
            ),
        )  # fmt: skip


def _second_best(patient: Patient) -> Iterator[DoctorFinding]:
    """Links of the SCSI layer to disks that have one of their own: those are the ones that disappeared."""
    for pool in patient.pools:
        worse = [
            leaf.link
            for leaf in _all(pool)
            if leaf.link.startswith("scsi-") and (leaf.disk or "").startswith("ata-")
        ]
        if worse:
            yield DoctorFinding(
                code="fragile-links", severity="advice", subject=of_pool(pool),
                title=f"{pool.name} uses links that updates have removed before",
                why="These disks have links of their own (ata-…), but the pool uses those of the SCSI layer, "
                "which depend on a rule that came and went between releases. A pool created that way "
                "was UNAVAIL after an upgrade. Nothing has to be done today; do it before the system "
                "is upgraded.",
                evidence=(figure("Links", listed(worse)),),
                fix=(
                    Remedy(words="When nobody is using the pool, export it and import it by the other links:",
                           commands=(as_root("zpool", "export", pool.name),
                                     as_root("zpool", "import", "-d", "/dev/disk/by-id", pool.name))),
                ),
            )  # fmt: skip


def _relink(name: str) -> Remedy:
    return Remedy(
        words=f"Export {name} and import it by stable names. {_WAIT}",
        operation="pool.relink",
        request={"name": name},
    )


def _all(pool: Pool) -> Iterator[Vdev]:
    for vdev in pool.vdevs:
        yield from leaves(vdev)


CHECKS = (
    Check(code="kernel-names", passed="Pools know their disks by stable names", examine=_unstable),
    Check(code="links-vanished", passed="Every name that pools use leads to a disk", examine=_vanished),
    Check(
        code="pool-not-imported", passed="No pool is present without being imported", examine=_not_imported
    ),
    Check(code="fragile-links", passed="Pools use the best links of their disks", examine=_second_best),
)
