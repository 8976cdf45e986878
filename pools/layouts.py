"""Which layouts a vdev of each role may have (man zpoolconcepts)."""

from __future__ import annotations

from host.commands.pools.zpool import Role
from host.layouts import Kind, Layout, kind

_ANY: tuple[Kind, ...] = ("stripe", "mirror", "raidz", "draid")
_COPIES: tuple[Kind, ...] = ("stripe", "mirror")
KINDS_OF_ROLE: dict[Role, tuple[Kind, ...]] = {
    "data": _ANY,
    "special": _COPIES,
    "dedup": _COPIES,
    "log": _COPIES,
    "cache": ("stripe",),
    "spare": ("stripe",),
}


def fits(role: Role, layout: Layout) -> bool:
    """Whether a vdev of that role may be laid out so."""
    return kind(layout) in KINDS_OF_ROLE[role]
