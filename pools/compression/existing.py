"""What becomes of the files that are there when a dataset's compression changes."""

from __future__ import annotations

import re
import shlex

from host.inventory import Dataset
from host.mountpoints import UNMOUNTED

_REWRITES = (2, 3, 4)  # the first OpenZFS with `zfs rewrite`


def can_rewrite(zfs_version: str | None) -> bool:
    """Whether this OpenZFS (such as 2.3.9-1) has `zfs rewrite`."""
    found = re.match(r"(?:zfs-)?(\d+)\.(\d+)\.(\d+)", zfs_version or "")
    return found is not None and tuple(map(int, found.groups())) >= _REWRITES


def words(dataset: Dataset, zfs_version: str | None) -> str:
    """How they get it, and what that costs."""
    stay = "A change is for what is written from then on; files that are there stay as they are stored."
    space = "Snapshots keep the old blocks, so until they are gone this takes as much space again"
    if can_rewrite(zfs_version):
        place = dataset.value("mountpoint")
        where = "its folder" if not place or place in UNMOUNTED else shlex.quote(place)
        return f"{stay} “zfs rewrite -r {where}” stores them anew, in place. {space}."
    anew = "Rewriting the dataset stores them anew, with all snapshots"
    return f"{stay} {anew}. Until that is ended it takes as much space again."
