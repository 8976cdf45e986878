"""Datasets that should be mounted and are not, deduplication that does not pay.

- zfs-mount(8) refuses to mount over a folder that is not empty unless `overlay` is on, and with it hides what
  is there. After an upgrade a machine's own /usr, /home and /var stood where datasets belonged.
- Deduplication keeps about 320 bytes of table for each block (openzfs-docs, "Deduplication"); a table of 39.2
  million entries took 4.4 GB of memory and 33 GB of disk to save 12 %, and writing fell from 385 to 17.8
  MB/s. It pays from about 20 % on (a ratio of 1.25).
"""

from __future__ import annotations

from collections.abc import Iterator

from alerts.doctor.finding import Check, DoctorFinding, Patient, Subject, figure, of_pool
from alerts.doctor.words import size
from alerts.remedy import Remedy, as_root
from host.inventory import Dataset
from host.mountpoints import Zone, zone
from host.pool_mounts import ASKED
from jobs.wording import listed

DEDUP_PAYS = 1.25


def _unmounted(patient: Patient) -> Iterator[DoctorFinding]:
    answering = {pool.name for pool in patient.pools}
    for dataset in patient.inventory.datasets:
        if dataset.pool not in answering or not _should_be_mounted(dataset):
            continue
        if _refused_place(dataset) is not None:
            continue  # reported by itself: mounting it does not help
        covered = dataset.folder_empty is False
        mountpoint = dataset.value("mountpoint") or ""
        aside = f"{mountpoint.rstrip('/')}.was"
        aside_first = (as_root("mv", mountpoint, aside), as_root("mkdir", mountpoint)) if covered else ()
        commands = (*aside_first, as_root("zfs", "mount", dataset.name))
        yield DoctorFinding(
            code="not-mounted", severity="warning",
            subject=Subject(kind="dataset", id=dataset.name, name=dataset.name, pool=dataset.pool),
            title=f"{dataset.name} is not mounted"
            + (f": the folder {mountpoint} is not empty" if covered else ""),
            why="Its files cannot be reached, and what programs write to that folder meanwhile ends up "
            "elsewhere, often on the system disk."
            + (" What is in the folder now would be hidden by the mount." if covered else ""),
            evidence=(
                figure("Mountpoint", mountpoint),
                figure("The folder is empty", {True: "yes", False: "no", None: "not known"}[
                    dataset.folder_empty
                ]),
            ),
            fix=(
                Remedy(words="Check what is in the folder, move it aside, and mount the dataset:"
                       if covered else "Mount it:", commands=commands),
            ),
        )  # fmt: skip


def _refused(patient: Patient) -> Iterator[DoctorFinding]:
    """What a pool asks for and is not granted: see `host.pool_mounts`."""
    answering = {pool.name for pool in patient.pools}
    for dataset in patient.inventory.datasets:
        place = _refused_place(dataset)
        if dataset.pool not in answering or place is None:
            continue
        below = f"/mnt/{dataset.name}"
        yield DoctorFinding(
            code="mount-refused", severity="warning",
            subject=Subject(kind="dataset", id=dataset.name, name=dataset.name, pool=dataset.pool),
            title=f"{dataset.name} wants to be mounted at {place}, which was refused",
            why="There it would replace what this machine runs or stores in that folder, so a pool "
            "prepared elsewhere could take the machine over. Its files cannot be reached until it has "
            "another mount point.",
            evidence=(
                figure("Asked for", place), figure("Mountpoint", dataset.value("mountpoint") or "none"),
            ),
            fix=(
                Remedy(words=f"Mount it at {below}; what inherits its mount point follows.",
                       operation="dataset.set",
                       request={"name": dataset.name, "properties": {"mountpoint": below}}),
            ),
        )  # fmt: skip


def _refused_place(dataset: Dataset) -> str | None:
    asked, place = dataset.properties.get(ASKED), dataset.value("mountpoint")
    if asked is not None and asked.source == "local" and place == "none":
        return asked.value
    return place if _should_be_mounted(dataset) and zone(place or "") is Zone.SYSTEM else None


def _should_be_mounted(dataset: Dataset) -> bool:
    if dataset.kind != "filesystem" or dataset.mounted or dataset.value("mounted") is None:
        return False
    if dataset.value("canmount") not in {"on", None}:
        return False
    if dataset.value("mountpoint") in {"none", "legacy", "-", None}:
        return False
    return dataset.value("keystatus") != "unavailable"


def _dedup(patient: Patient) -> Iterator[DoctorFinding]:
    for pool in patient.pools:
        on = [
            dataset.name
            for dataset in patient.inventory.datasets
            if dataset.pool == pool.name and dataset.value("dedup") not in {None, "off", "-"}
        ]
        ratio, table = pool.dedup_ratio, pool.dedup_table_bytes
        if not (on or table) or ratio >= DEDUP_PAYS:
            continue
        saved = 100 * (1 - 1 / ratio) if ratio >= 1 else 0.0
        yield DoctorFinding(
            code="dedup-without-gain", severity="warning" if on else "advice", subject=of_pool(pool),
            title=f"Deduplication in {pool.name} saves {saved:.0f} % and costs much more",
            why="Every write looks up each block in a table that must fit in memory: writing becomes many "
            "times slower, and deleting a large file takes minutes. It only pays off above about 20 %.",
            evidence=(
                figure("Ratio", f"{ratio:.2f}"), figure("Saved", f"{saved:.0f} %"),
                *((figure("Table on disk", size(table)),) if table else ()),
                figure("On in", listed(on) if on else "no dataset any more"),
            ),
            fix=(
                *(Remedy(words=f"Turn it off for what is written to {name} from now on.",
                         operation="dataset.set", request={"name": name, "properties": {"dedup": "off"}})
                  for name in on if _local(patient, name)),
                Remedy(words="Existing data stays deduplicated until it is rewritten: send it to a dataset "
                             "without dedup, compare, and destroy the old one."),
            ),
        )  # fmt: skip


def _local(patient: Patient, name: str) -> bool:
    dataset = patient.inventory.dataset(name)
    found = dataset.properties.get("dedup") if dataset else None
    return found is not None and found.source in {"local", "received"}


CHECKS = (
    Check(code="not-mounted", passed="Every dataset is mounted where it belongs", examine=_unmounted),
    Check(code="mount-refused", passed="No pool wants to be mounted where it may not be", examine=_refused),
    Check(code="dedup-without-gain", passed="Deduplication is off, or pays off", examine=_dedup),
)
