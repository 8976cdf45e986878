"""What pools, datasets and snapshots may be called.

Rules from OpenZFS: module/zcommon/zfs_namecheck.c, and zpool_name_valid() in lib/libzfs;
tried on OpenZFS 2.3.9 (tests/transcripts/errors/pool-names.json). Spaces, which ZFS allows, are not offered.
"""

from __future__ import annotations

import re

from host.system.own_datasets import is_ours

_POOL = re.compile(r"[A-Za-z][A-Za-z0-9_.:\-]*")
_COMPONENT = re.compile(r"[A-Za-z0-9_.:\-]+")
_HOLD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-]{0,199}")
_RESERVED_STARTS = ("mirror", "raidz", "draid", "spare")
# /api/v1/pools/import/ is no pool, and /api/v1/snapshot-policies/run/ no policy.
_OUR_ADDRESSES = {"import", "importable", "preview", "prune", "run"}
_QUOTAS = "quotas"  # /api/v1/datasets/tank/quotas/ are those of tank; what can be done to it is only posted
_LONGEST_POOL = 239  # ZFS_MAX_DATASET_NAME_LEN less room for its internal $ORIGIN names
_LONGEST_DATASET = 255
_DEEPEST = 50  # zfs_max_dataset_nesting


def pool_name_fault(name: str) -> str | None:
    """Why no pool can be called `name`; None when it can."""
    if not name:
        return "A pool needs a name."
    if len(name) > _LONGEST_POOL:
        return f"The name has {len(name)} characters; ZFS allows {_LONGEST_POOL}."
    if not name[0].isascii() or not name[0].isalpha():
        return "A pool's name must start with a letter from a to z."
    if not _POOL.fullmatch(name):
        return "Only letters, digits and _ - . : are allowed in a pool's name."
    if name.startswith(_RESERVED_STARTS) or name == "log":
        return f"ZFS reserves names that start with {', '.join(_RESERVED_STARTS)}, and “log”."
    return address_fault(name)


def address_fault(name: str) -> str | None:
    """Why a pool of that name, which ZFS allows, could not be asked for here; None when it can."""
    return f"“{name}” is reserved by the console." if name in _OUR_ADDRESSES else None


def dataset_name_fault(name: str, *, spaces: bool = False) -> str | None:
    """Why no dataset below a pool can be called `name` (the whole path); None when it can.

    ZFS allows spaces within a name, and other tools make such datasets: `spaces` is for what is there
    already, and for replicas, which are called as their sources are.
    """
    if len(name) > _LONGEST_DATASET:
        return f"The whole path has {len(name)} characters; ZFS allows {_LONGEST_DATASET}."
    pool, *components = name.split("/")
    if not components:
        return "Enter the full path, such as tank/media. The pool's own dataset comes with the pool."
    if not pool or any(not component for component in components):
        return "Part of the path is empty: check the slashes."
    if len(components) >= _DEEPEST:
        return f"ZFS allows {_DEEPEST} levels at most."
    if components[-1] == _QUOTAS:
        return f"“{_QUOTAS}” is reserved by the console: choose another name at the end."
    if is_ours(name):
        return f"“{components[0]}” is reserved by the console, which keeps data of its own there."
    if spaces:
        components = [component.replace(" ", "_") for component in components]
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
        return "“.” and “..” are not valid names."
    if not _COMPONENT.fullmatch(component):
        return "Only letters, digits and _ - . : are allowed in a name."
    return None


def hold_tag_fault(tag: str) -> str | None:
    """Why no hold can be called `tag`; None when it can. Longer names or a dot in front are ZFS's own."""
    if not tag:
        return "Enter a name for the hold."
    if not _HOLD.fullmatch(tag):
        return "A hold's name has up to 200 letters, digits and _ - . :, and starts with a letter or digit."
    return None
