"""How pools are built: sectors, redundancy, spares.

- ashift: a pool whose ashift is below a disk's physical sector reads, changes and writes a whole sector for
  each small write (zpoolprops(7), "ashift"); it cannot be changed later.
- A pool dies with any one of its top-level vdevs (zpoolconcepts(7)), so the weakest decides.
- A spare stands in only for a disk that is not larger than itself (zpoolconcepts(7), "Hot Spares").
"""

from __future__ import annotations

from collections.abc import Iterator

from alerts import remedy
from alerts.doctor.finding import (
    Check,
    DoctorFinding,
    Patient,
    figure,
    of_pool,
)
from alerts.doctor.words import size
from alerts.remedy import Remedy
from host.inventory import Disk, Pool, Vdev, leaves
from host.inventory.redundancy import VITAL, survives_when_whole
from jobs.wording import listed

SPARE_FROM_DISKS = 8  # with so many a failure is a matter of a year or two, and nobody is always at home
_GHOSTS = {"hole", "indirect", "missing"}
_LABEL_SLACK = 0.01  # partitions are cut up to 1 % shorter than their disk


def _ashift(patient: Patient) -> Iterator[DoctorFinding]:
    disks = {disk.id: disk for disk in patient.inventory.disks}
    for pool in patient.pools:
        below = [
            (leaf, disk, ashift)
            for vdev in pool.vdevs
            for leaf in leaves(vdev)
            if (disk := disks.get(leaf.disk or "")) and (ashift := leaf.ashift or pool.ashift)
            and 1 << ashift < disk.physical_sector_bytes
        ]  # fmt: skip
        if below:
            names = [f"bay {disk.bay}" if disk.bay else disk.id for _, disk, _ in below]
            yield DoctorFinding(
                code="ashift-too-small", severity="warning", subject=of_pool(pool),
                title=f"{pool.name} writes smaller blocks than its disks do",
                why="Each small write makes the disk read a whole sector, change it and write it back: "
                "writing "
                "is several times slower than it could be. That cannot be changed; only a new pool fixes it.",
                evidence=(
                    figure("Sectors of the pool", f"{1 << below[0][2]} bytes (ashift {below[0][2]})"),
                    figure("Sectors of the disks", f"{below[0][1].physical_sector_bytes} bytes"),
                    figure("Disks", listed(names)),
                ),
                fix=(
                    Remedy(words="When you build the next pool, create it with ashift 12 or more and move "
                                 "the data with zfs send and receive.",
                           page="/create/pool/", label="Build a pool"),
                ),
                needs_note=True,
            )  # fmt: skip


def _mixed(patient: Patient) -> Iterator[DoctorFinding]:
    for pool in patient.pools:
        vital = [v for v in pool.vdevs if v.role in VITAL and v.kind not in _GHOSTS]
        known = [(vdev, survives_when_whole(vdev)) for vdev in vital]
        if len(known) < 2 or len({count for _, count in known}) == 1:
            continue
        least = min(count for _, count in known)
        weak = [_title(vdev) for vdev, count in known if count == least]
        single = least == 0
        yield DoctorFinding(
            code="mixed-redundancy", severity="critical" if single else "warning", subject=of_pool(pool),
            title=f"{pool.name} is as weak as its weakest vdev: {listed(weak)}",
            why="A pool is lost if any one of its vdevs is lost. "
            + ("One failed disk is enough here, whatever the others survive."
               if single else f"It survives {least} failure{'' if least == 1 else 's'} there, although "
                              "others survive more."),
            evidence=tuple(figure(_title(vdev), f"survives {count}") for vdev, count in known),
            fix=(
                remedy.of_pool(
                    pool.name,
                    "Attach a second disk to the weak vdev to make it a mirror."
                    if single else "Attach disks to the weak vdevs.",
                    "See its vdevs", "#vdevs",
                ),
            ),
            needs_note=True,
        )  # fmt: skip


def _none(patient: Patient) -> Iterator[DoctorFinding]:
    for pool in patient.pools:
        vital = [v for v in pool.vdevs if v.role == "data" and v.kind not in _GHOSTS]
        if vital and all(survives_when_whole(vdev) == 0 for vdev in vital):
            yield DoctorFinding(
                code="no-redundancy", severity="warning", subject=of_pool(pool),
                title=f"{pool.name} survives no disk failure",
                why="It is lost if any one of its disks fails; ZFS can detect damaged data but not repair "
                "it.",
                evidence=(figure("Data vdevs", listed([_title(vdev) for vdev in vital])),),
                fix=(
                    remedy.of_pool(
                        pool.name, "Attach a disk to each to make them mirrors.",
                        "See its vdevs", "#vdevs",
                    ),
                ),
                needs_note=True,
            )  # fmt: skip


def _spares(patient: Patient) -> Iterator[DoctorFinding]:
    disks = {disk.id: disk for disk in patient.inventory.disks}
    for pool in patient.pools:
        spares = [vdev for vdev in pool.vdevs if vdev.role == "spare"]
        members = [leaf for v in pool.vdevs if v.role in {"data", "special"} for leaf in leaves(v)]
        if not spares:
            yield from _missing_spare(pool, members)
            continue
        largest = max((_bytes(spare, disks) for spare in spares), default=0)
        short = [leaf for leaf in members if _bytes(leaf, disks) * (1 - _LABEL_SLACK) > largest > 0]
        if short:
            names = [disks[leaf.disk].bay or leaf.disk for leaf in short if leaf.disk in disks]
            yield DoctorFinding(
                code="spare-too-small", severity="warning", subject=of_pool(pool),
                title=f"No spare of {pool.name} is large enough for {len(short)} of its disks",
                why="When one of these fails, nothing takes over, and the pool stays degraded until you "
                "replace the disk.",
                evidence=(
                    figure("Largest spare", size(largest)),
                    figure("Disks that are larger", listed([name for name in names if name])),
                ),
                fix=(remedy.of_pool(pool.name, "Add a larger spare.", "Add a vdev", "add/"),),
            )  # fmt: skip


def _missing_spare(pool: Pool, members: list[Vdev]) -> Iterator[DoctorFinding]:
    if len(members) >= SPARE_FROM_DISKS and not any(vdev.kind == "draid" for vdev in pool.vdevs):
        yield DoctorFinding(
            code="no-spare", severity="advice", subject=of_pool(pool),
            title=f"{pool.name} has {len(members)} disks and no spare",
            why="With so many disks, expect a failure every year or two. With a hot spare the resilver "
            "starts within seconds; without one the pool stays degraded until somebody brings a disk.",
            evidence=(figure("Disks", len(members)),),
            fix=(remedy.of_pool(pool.name, "Add a disk as a hot spare.", "Add a vdev", "add/"),),
        )  # fmt: skip


def _bytes(leaf: Vdev, disks: dict[str, Disk]) -> int:
    disk = disks.get(leaf.disk or "")
    return leaf.size_bytes or (disk.size_bytes if disk else 0)


def _title(vdev: Vdev) -> str:
    name = vdev.name if vdev.children else "a single disk"
    return name if vdev.role == "data" else f"{vdev.role} {name}"


CHECKS = (
    Check(code="ashift-too-small", passed="Pools write in whole sectors of their disks", examine=_ashift),
    Check(code="mixed-redundancy", passed="All vdevs of a pool have equal redundancy", examine=_mixed),
    Check(code="no-redundancy", passed="Every pool survives a failed disk", examine=_none),
    Check(code="no-spare", passed="Large pools have a spare that fits", examine=_spares),
)
