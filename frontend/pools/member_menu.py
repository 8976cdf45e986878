"""What can be done with each vdev of a pool; what cannot be done now is shut and says why."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

import msgspec

from host.inventory import Pool, Vdev
from host.inventory.redundancy import VITAL
from pools.links import pool_href
from pools.members.attach import attach_fault
from pools.members.growth import can_grow
from pools.members.places import MemberPosition, find, is_spare
from pools.members.remove import remove_fault
from pools.members.replace import source_fault

_AWAY = {"OFFLINE", "REMOVED", "UNAVAIL"}


class MemberAction(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the menu; `why` says why it is shut, and is empty where it is open."""

    title: str
    href: str
    why: str = ""


def menus(pool: Pool) -> dict[str, tuple[MemberAction, ...]]:
    """The entries by the guid of the vdev."""
    return {
        vdev.guid: tuple(_entries(pool, place))
        for top in pool.vdevs
        for vdev in _all(top)
        if (place := find(pool, vdev.guid))
    }


def _entries(pool: Pool, place: MemberPosition) -> Iterator[MemberAction]:
    if pool.suspended or pool.readonly:
        why = "The pool is suspended. Clear it first." if pool.suspended else "The pool is read-only."
        yield MemberAction(title="Nothing can be changed", href="", why=why)
        return
    vdev, kind = place.vdev, place.parent.kind if place.parent else ""
    if place.leaf and place.top.role != "cache" and not is_spare(pool, vdev.guid):
        yield _entry(pool, vdev, "Replace…", "replace", source_fault(pool, place))
    if place.leaf and (vdev.read_errors or vdev.write_errors or vdev.checksum_errors or _faulted(vdev)):
        yield _entry(pool, vdev, "Clear errors", "clear", None)
    if place.leaf and not is_spare(pool, vdev.guid):
        if vdev.state in _AWAY:
            fault = None if vdev.disk else ("missing", "The disk is not in this machine.")
            yield _entry(pool, vdev, "Bring online", "online", fault)
        elif not _faulted(vdev):
            yield _entry(pool, vdev, "Take offline", "offline", None)
    if place.leaf and kind in {"mirror", "replacing", "spare"}:
        yield _entry(pool, vdev, "Detach", "detach", None)
    if place.parent is None:
        yield from _of_top(pool, place)


def _of_top(pool: Pool, place: MemberPosition) -> Iterator[MemberAction]:
    vdev = place.vdev
    if vdev.role not in {"spare", "cache"} and vdev.kind in {"disk", "mirror", "raidz"}:
        title = "Expand by a disk…" if vdev.kind == "raidz" else "Attach a disk…"
        yield _entry(pool, vdev, title, "attach", attach_fault(place))
    if vdev.expandable_bytes:
        yield _entry(pool, vdev, "Use the grown space", "expand", None)
    if can_grow(vdev):
        yield _entry(pool, vdev, "Replace disks with larger ones…", "grow", None)
    fault = remove_fault(pool, place)
    if fault is None or vdev.role not in VITAL or len(pool.vdevs) > 1:
        yield _entry(pool, vdev, "Remove from the pool", "remove", fault)


def _entry(pool: Pool, vdev: Vdev, title: str, verb: str, fault: tuple[str, str] | None) -> MemberAction:
    href = f"{pool_href(pool.name)}{verb}/?{urlencode({'vdev': vdev.guid})}"
    return MemberAction(title=title, href=href, why=fault[1] if fault else "")


def _faulted(vdev: Vdev) -> bool:
    return vdev.state in {"FAULTED", "DEGRADED"}


def _all(vdev: Vdev) -> Iterator[Vdev]:
    yield vdev
    for child in vdev.children:
        yield from _all(child)
