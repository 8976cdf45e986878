"""The change of a vdev to larger disks, one at a time; it may pause for as long as its owner likes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, part, unchanged, why_shut
from frontend.missing import missing
from frontend.pools.members import pool_of
from frontend.pools.replace_view import end_of, finished, progress
from host.inventory import Inventory, Pool, Vdev
from pools.members.candidates import to_replace
from pools.members.growth import Growth, can_grow, growth
from pools.members.newcomer import partition_bytes
from pools.members.places import MemberPosition


@page("pools:read")
def grow(request: HttpRequest, name: str) -> HttpResponseBase:
    """`?vdev=` names the top-level vdev; without it the one that is on its way, else the first."""
    if (known := pool_of(name)) is None:
        return missing(request, f"There is no pool {name}")
    inventory, pool = known
    if answer := unchanged(request, inventory.as_of):
        return answer
    tops = [top for top in pool.vdevs if can_grow(top)]
    found = [series(pool, top, inventory) for top in tops]
    guid = request.GET.get("vdev", "")
    asked = next((one for one in found if one.top.guid == guid), None)
    shown = asked or next((one for one in found if one.started), found[0] if found else None)
    if shown is None:
        return missing(request, f"{name} has no vdev that could grow")
    context = {
        "mark": inventory.as_of,
        "pool": pool,
        "tops": found,
        "series": shown,
        "members": [(bay, end_of(bay.leaf, inventory)) for bay in shown.members],
        "next": end_of(shown.next.leaf, inventory) if shown.next else None,
        "done": len(shown.members) - len(shown.left),
        "progress": progress(pool),
        "leaving": finished(pool, inventory)[:1],
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, part(request, "pools/grow.html"), context)


def series(pool: Pool, top: Vdev, inventory: Inventory) -> Growth:
    """How far the vdev is; its goal is the largest disk that could come, where none has come yet."""
    child = (top.children or (top,))[0]
    place = MemberPosition(child, (top,) if top.children else ())
    larger = [partition_bytes(one.disk) for one in to_replace(pool, place, inventory) if not one.why]
    return growth(pool, top, larger_bytes=max(larger, default=0))
