"""What the kernel calls a block device that is built on another one, in words, with how it is let go of."""

from __future__ import annotations

# By the first word of a device-mapper UUID in small letters, as lsblk prints it in TYPE.
_WORDS = {
    "crypt": ("encrypted mapping", "closed (cryptsetup close)"),
    "loop": ("loop device", "detached (losetup --detach)"),
    "lvm": ("logical volume", "deactivated (lvchange)"),
    "mpath": ("multipath map", "flushed (multipath -f)"),
}
_ARRAY = ("md array", "stopped (mdadm --stop)")
_MAP = ("device-mapper map", "removed (dmsetup remove)")


def holder_words(kind: str, name: str) -> str:
    """`loop device loop0 until it is detached (losetup --detach)`."""
    what, end = _ARRAY if kind.startswith("raid") else _WORDS.get(kind, _MAP)
    return f"{what} {name} until it is {end}"


def held_words(names: list[str]) -> str:
    """The claim of those that `holder_words` speaks of."""
    return f"held by {', and by '.join(names)}"
