"""What programs read from and wrote to a dataset, through ZFS's cache."""

from __future__ import annotations

from typing import NamedTuple

from host.kernel.files import KernelFiles

_KSTAT = "/proc/spl/kstat/zfs"
_NAMES = ("reads", "nread", "writes", "nwritten")
_COMMITS = "zil_commit_count"


class ObjsetCounters(NamedTuple):
    """Counted since the dataset was mounted, or its volume opened.

    `commits` are those of its intent log (ZIL): each is a program that waits until what it wrote is on disk.
    """

    reads: int
    read_bytes: int
    writes: int
    written_bytes: int
    commits: int = 0  # also where an older OpenZFS does not count them


def read_objset(files: KernelFiles, dataset: str, number: int) -> ObjsetCounters | None:
    """The counters of a dataset by its name and its property `objsetid`; None where it is not in use.

    A row is name, type, value, and the name of a dataset may have spaces: module/zfs/dataset_kstats.c of
    OpenZFS 2.3.
    """
    pool = dataset.partition("/")[0]
    rows = (line.split(None, 2) for line in files.read(objset_path(pool, number)).splitlines()[2:])
    found = {row[0]: row[2].strip() for row in rows if len(row) == 3}
    if found.get("dataset_name") != dataset:
        return None
    values = [found.get(name, "") for name in _NAMES]
    if not all(value.isdecimal() for value in values):
        return None
    commits = found.get(_COMMITS, "")
    return ObjsetCounters(*map(int, (*values, commits if commits.isdecimal() else "0")))


def objset_path(pool: str, number: int) -> str:
    """The file of one dataset."""
    return f"{_KSTAT}/{pool}/objset-0x{number:x}"
