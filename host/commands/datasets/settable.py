"""What commands do not set, whoever sends them: properties that make root do something elsewhere.

Such as mount over a folder, share a file system by options of NFS, read a key from a file or an address,
write a cache file, or hand a dataset to a container. Of all others ZFS judges, also of those of a later one;
the whole table of OpenZFS 2.3 was gone through for this (zfsprops(7), zpoolprops(7)).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from host.mountpoints import place_fault

_OFF_ALONE = ("sharenfs", "sharesmb", "zoned")
# Labels of SELinux become options of a mount as they stand.
_NEVER = ("mlslabel", "context", "fscontext", "defcontext", "rootcontext")
# libzfs mounts what it shares, or what a container no longer has, and all below that is not mounted.
MOUNTING = frozenset(_OFF_ALONE)
_NOT_INHERITED = frozenset({"keylocation", "sharenfs", "sharesmb", *_NEVER})
_POOLS = frozenset({
    "ashift", "autoexpand", "autoreplace", "autotrim", "comment", "delegation", "failmode", "listsnapshots",
    "multihost",
})  # fmt: skip


def may_be_set(name: str) -> bool:
    """Whether commands set this property of a dataset to anything."""
    return name not in _NEVER


def may_be_inherited(name: str) -> bool:
    """Whether commands let it be inherited, or go back to what was received: no share, and no key."""
    return name not in _NOT_INHERITED


def dataset_fault(name: str, value: str) -> str | None:
    """Why no command sets a dataset's property so; None for what is harmless, or ZFS's to judge."""
    if name == "mountpoint":
        return place_fault(value)
    if name in _OFF_ALONE:
        return None if value == "off" else f"{name} can only be set to off here."
    if name == "keylocation":
        return (
            None if value == "prompt" else "A key is typed in: its place is “prompt”, and no file or address."
        )
    return None if may_be_set(name) else f"The property {name} is not set by this console."


def check_dataset(properties: Mapping[str, str], *, mountpoint: bool = True) -> None:
    """Raises `ValueError` for what no command sets; `mountpoint` False where it has a field of its own."""
    for name, value in properties.items():
        fault = dataset_fault(name, value)
        if fault is None and name == "mountpoint" and not mountpoint:
            fault = "The mount point has a field of its own."
        if fault is not None:
            raise ValueError(fault)


def check_inherit(name: str) -> None:
    """Raises `ValueError` for a property that no command lets be inherited."""
    if not may_be_inherited(name):
        raise ValueError(f"The property {name} is not inherited by this console.")


def check_pool(properties: Mapping[str, str]) -> None:
    """Raises `ValueError` for what no command sets on a pool."""
    for name, value in properties.items():
        switched = name.startswith("feature@") and value in {"enabled", "disabled"}
        if name not in _POOLS and not switched and (name, value) != ("cachefile", "none"):
            raise ValueError(f"The property {name[:60]} of a pool is not set so by this console.")


def check_user(names: Iterable[str]) -> None:
    """Raises `ValueError` for native properties, where only those that users make up are set."""
    if native := [name for name in names if ":" not in name]:
        raise ValueError(f"The property {native[0][:60]} is not set here.")


def check_mountpoint(path: str) -> None:
    """Raises `ValueError` for a folder over which nothing is ever mounted."""
    if fault := place_fault(path):
        raise ValueError(fault)
