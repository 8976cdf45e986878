"""The tree of a simulated pool: its leaves, their health, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from host.capacity import Shape, Space, deflate, space_of
from host.commands.pools.zpool import Role
from host.layouts import draid, kind, parity
from host.simulated.state import Pool, Vdev

ALLOCATING: tuple[Role, ...] = ("data", "special", "dedup")  # losing such a vdev stops the pool
TOP_LEVEL: tuple[Role, ...] = (*ALLOCATING, "log")


GHOSTS = {
    "indirect",
    "hole",
}  # they keep the place of a vdev that was removed, so that others keep their names


class Health(NamedTuple):
    """The state of a vdev and, where zpool gives one, the reason."""

    state: str
    aux: str | None = None


def leaves(vdev: Vdev) -> Iterator[Vdev]:
    """The leaves below `vdev`, or itself if it is one."""
    if not vdev.children:
        yield vdev
    for child in vdev.children:
        yield from leaves(child)


def all_leaves(pool: Pool) -> Iterator[Vdev]:
    """The leaves of all roles."""
    for vdev in pool.vdevs:
        if vdev.kind not in GHOSTS:
            yield from leaves(vdev)


def of_role(pool: Pool, *roles: Role) -> list[Vdev]:
    """The top-level vdevs of these roles."""
    return [vdev for vdev in pool.vdevs if vdev.role in roles and vdev.kind not in GHOSTS]


def names(pool: Pool) -> dict[int, str]:
    """What zpool calls each vdev, by guid: an inner one by its kind and place, a leaf by its path."""
    found: dict[int, str] = {}
    for index, vdev in enumerate(vdev for vdev in pool.vdevs if vdev.role in TOP_LEVEL):
        found[vdev.guid] = f"{vdev.layout}-{index}"
        found |= _inner_names(vdev)
    return found | {leaf.guid: leaf.path or "" for leaf in all_leaves(pool)}


def _inner_names(vdev: Vdev) -> dict[int, str]:
    found: dict[int, str] = {}
    for place, child in enumerate(vdev.children):
        found[child.guid] = f"{child.kind}-{place}"
        found |= _inner_names(child)
    return found


def survives(vdev: Vdev) -> int:
    """How many of its children may be gone."""
    if vdev.layout == "mirror" or vdev.kind in {"spare", "replacing"}:
        return len(vdev.children) - 1
    return parity(vdev.layout)


_REASONS = {"FAULTED": "ERR_EXCEEDED", "UNAVAIL": "OPEN_FAILED"}


def health(vdev: Vdev) -> Health:
    """Of a leaf what befell it, of an inner vdev what its children leave it."""
    if not vdev.children:
        return Health(vdev.state, _REASONS.get(vdev.state))
    states = [health(child).state for child in vdev.children]
    gone = sum(state not in {"ONLINE", "DEGRADED"} for state in states)
    if gone > survives(vdev):
        return Health("UNAVAIL", "NO_REPLICAS")
    return Health("ONLINE" if all(state == "ONLINE" for state in states) else "DEGRADED")


def root_health(pool: Pool) -> Health:
    """Of the pool as a tree, whether or not it is suspended."""
    states = [(vdev.role, health(vdev).state) for vdev in of_role(pool, *TOP_LEVEL)]
    if any(state not in {"ONLINE", "DEGRADED"} for role, state in states if role in ALLOCATING):
        return Health("UNAVAIL", "NO_REPLICAS")
    return Health("ONLINE" if all(state == "ONLINE" for _, state in states) else "DEGRADED")


def state(pool: Pool) -> str:
    """What zpool says of the pool."""
    return "SUSPENDED" if pool.suspended else root_health(pool).state


def shape(vdev: Vdev, *, grown: bool = False) -> Shape:
    """Layout and sizes, or those it would have if it used all of its devices. A member that is being replaced
    or stood in for counts with its own size, one that a RAIDZ is being expanded by not yet."""
    members = vdev.children[: len(vdev.children) - vdev.expanding] or [vdev]
    leads = [next(leaves(member)) for member in members]
    return Shape(vdev.layout, tuple(leaf.size + (leaf.grown if grown else 0) for leaf in leads))


def space(vdev: Vdev, pool: Pool) -> Space:
    """What a top-level vdev brings. A RAIDZ that was expanded goes on counting as it did when it was made."""
    now = shape(vdev)
    found = space_of(now, ashift=pool.ashift)
    if not vdev.born:
        return found
    then = Shape(now.layout, now.device_bytes[: vdev.born])
    return found._replace(usable=deflate(found.raw, then, ashift=pool.ashift))


def expandable(vdev: Vdev, pool: Pool) -> int:
    """Bytes by which a top-level vdev would grow if it used all of its devices, in whole metaslabs."""
    now, then = space(vdev, pool), space_of(shape(vdev, grown=True), ashift=pool.ashift)
    return (then.allocatable - now.allocatable) >> now.metaslab_shift << now.metaslab_shift


def copies(vdev: Vdev) -> int:
    """Sectors that one sector of data takes in this vdev: with parity, and in dRAID a whole stripe."""
    if kind(vdev.layout) == "draid":
        return draid(vdev.layout, len(vdev.children)).width
    return 1 + parity(vdev.layout)
