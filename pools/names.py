"""What pools, datasets, snapshots and mount points may be called.

Rules from OpenZFS: module/zcommon/zfs_namecheck.c, and zpool_name_valid() in lib/libzfs;
tried on OpenZFS 2.3.9 (tests/transcripts/errors/pool-names.json). Spaces, which ZFS allows, are not offered.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_POOL = re.compile(r"[A-Za-z][A-Za-z0-9_.:\-]*")
_COMPONENT = re.compile(r"[A-Za-z0-9_.:\-]+")
_RESERVED_STARTS = ("mirror", "raidz", "draid", "spare")
_LONGEST_POOL = 239  # ZFS_MAX_DATASET_NAME_LEN less room for its internal $ORIGIN names
_LONGEST_DATASET = 255
_DEEPEST = 50  # zfs_max_dataset_nesting

# Mounting over these would hide the running system.
_SYSTEM_FOLDERS = (
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/proc", "/root", "/run", "/sbin",
    "/sys", "/tmp", "/usr",  # noqa: S108
)  # fmt: skip
_SYSTEM_ROOTS = ("/", "/var", "/home", "/mnt", "/srv", "/opt", "/media", "/var/lib", "/var/log")


def pool_name_fault(name: str) -> str | None:
    """Why no pool can be called `name`; None when it can."""
    if not name:
        return "A pool needs a name."
    if len(name) > _LONGEST_POOL:
        return f"The name has {len(name)} characters; ZFS allows {_LONGEST_POOL}."
    if not name[0].isascii() or not name[0].isalpha():
        return "A pool's name starts with a letter from a to z."
    if not _POOL.fullmatch(name):
        return "Only letters, digits and _ - . : are allowed in a pool's name."
    if name.startswith(_RESERVED_STARTS) or name == "log":
        return f"ZFS reserves names that start with {', '.join(_RESERVED_STARTS)}, and “log”."
    return None


def dataset_name_fault(name: str) -> str | None:
    """Why no dataset below a pool can be called `name` (the whole path); None when it can."""
    if len(name) > _LONGEST_DATASET:
        return f"The whole path has {len(name)} characters; ZFS allows {_LONGEST_DATASET}."
    pool, *components = name.split("/")
    if not components:
        return "Give the whole path, such as tank/media. The pool's own dataset comes with the pool."
    if not pool or any(not component for component in components):
        return "A part of the path is empty: check the slashes."
    if len(components) >= _DEEPEST:
        return f"ZFS allows {_DEEPEST} levels."
    return next((fault for component in components if (fault := _component_fault(component))), None)


def snapshot_tag_fault(tag: str, *, dataset: str) -> str | None:
    """Why no snapshot of `dataset` can be called `tag`; None when it can."""
    if not tag:
        return "A snapshot needs a name."
    if len(dataset) + 1 + len(tag) > _LONGEST_DATASET:
        return f"With the dataset's path the name is longer than the {_LONGEST_DATASET} characters of ZFS."
    return _component_fault(tag)


def _component_fault(component: str) -> str | None:
    if component in {".", ".."}:
        return "“.” and “..” are no names."
    if not _COMPONENT.fullmatch(component):
        return "Only letters, digits and _ - . : are allowed in a name."
    return None


def mountpoint_fault(path: str) -> str | None:
    """Why nothing should be mounted at `path`; None when it may. `none` and `legacy` may."""
    if path in {"none", "legacy"}:
        return None
    if len(path) > 1023 or not path.isprintable():
        return "A mount point has at most 1023 printable characters."
    if not path.startswith("/") or str(PurePosixPath(path)) != path or ".." in path.split("/"):
        return "A mount point is an absolute path without “..” and without a slash at its end."
    if path in _SYSTEM_ROOTS:
        return f"{path} belongs to the system. Choose a folder below /mnt, such as /mnt/tank."
    for folder in _SYSTEM_FOLDERS:
        if path == folder or path.startswith(f"{folder}/"):
            return f"{folder} belongs to the system. Choose a folder below /mnt, such as /mnt/tank."
    return None
