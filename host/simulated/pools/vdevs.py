"""The tree of a simulated pool: its leaves, their health, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from host.capacity import Shape, Space, space_of
from host.commands.zpool import Role
from host.simulated.state import Pool, Vdev

_PARITY = {"raidz1": 1, "raidz2": 2, "raidz3": 3}
ALLOCATING: tuple[Role, ...] = ("data", "special", "dedup")  # losing such a vdev stops the pool
TOP_LEVEL: tuple[Role, ...] = (*ALLOCATING, "log")


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
        yield from leaves(vdev)


def of_role(pool: Pool, *roles: Role) -> list[Vdev]:
    """The top-level vdevs of these roles."""
    return [vdev for vdev in pool.vdevs if vdev.role in roles]


def names(pool: Pool) -> dict[int, str]:
    """What zpool calls each vdev, by guid: an inner one by its kind and place, a leaf by its path."""
    found: dict[int, str] = {}
    for index, vdev in enumerate(of_role(pool, *TOP_LEVEL)):
        found[vdev.guid] = f"{vdev.layout}-{index}"
        for place, child in enumerate(vdev.children):
            found[child.guid] = f"{child.kind}-{place}"
    return found | {leaf.guid: leaf.path or "" for leaf in all_leaves(pool)}


def survives(vdev: Vdev) -> int:
    """How many of its children may be gone."""
    if vdev.layout == "mirror" or vdev.kind == "spare":
        return len(vdev.children) - 1
    return _PARITY.get(vdev.layout, 0)


def health(vdev: Vdev) -> Health:
    """Of a leaf what befell it, of an inner vdev what its children leave it."""
    if not vdev.children:
        return Health(vdev.state)
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


def shape(vdev: Vdev) -> Shape:
    """Layout and sizes; a member that is being stood in for counts with its own size."""
    if not vdev.children:
        return Shape("stripe", (vdev.size,))
    return Shape(vdev.layout, tuple(next(leaves(child)).size for child in vdev.children))


def space(vdev: Vdev, pool: Pool) -> Space:
    """What a top-level vdev brings."""
    return space_of(shape(vdev), ashift=pool.ashift)


def copies(vdev: Vdev) -> int:
    """Sectors that one sector of data takes in this vdev, as RAIDZ counts them."""
    return 1 + _PARITY.get(vdev.layout, 0)
