"""Pools: the list, one pool, and its end."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from alerts.models import ZfsEvent
from frontend.access import page, part, unchanged, why_shut
from frontend.alerts.view import troubles
from frontend.bays.vdevs import shape
from frontend.benchmark.view import latest
from frontend.jobs.progress import progress_views
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.pools.care_view import care_view
from frontend.pools.member_menu import menus
from frontend.pools.view import pool_lines, scan_words, space, vdev_rows
from frontend.replication.turning import lost_in
from frontend.states import Tone, pool_state, tone_view
from host.inventory import Inventory, Pool
from host.typed import convert
from jobs import cache
from pools.benchmark.answers import newest_plain

# Everyday properties, in the order they are shown; the rest is behind a fold.
_FIRST = ("ashift", "autotrim", "autoexpand", "fragmentation", "dedupratio", "failmode")
_MOST_EVENTS = 30


@page("pools:read")
def pools(request: HttpRequest) -> HttpResponseBase:
    """All imported pools."""
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "known": inventory is not None,
        "pools": pool_lines(inventory) if inventory else (),
        "free_disks": sum(disk.free for disk in inventory.disks) if inventory else 0,
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, part(request, "pools/pools.html"), context)


@page("pools:read")
def pool(request: HttpRequest, name: str) -> HttpResponseBase:
    """One pool: its tree with bays, states and errors, its space, its properties."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no pool {name}")
    inventory, found = known
    wrong = troubles(request.user, inventory, pool_guid=found.guid)
    report = list(ZfsEvent.objects.filter(pool_guid=found.guid)[:_MOST_EVENTS])
    heard = max((row.heard_at.timestamp() for row in report), default=0.0)
    mark = f"{inventory.as_of}{wrong.mark}.{heard}"
    if answer := unchanged(request, mark):
        return answer
    shut = why_shut(request.user, "pools:write")
    properties = [(key, found.properties[key]) for key in _FIRST if key in found.properties]
    context = {
        "mark": mark,
        "pool": found,
        "state": pool_state(found),
        "shape": shape(found),
        "space": space(found, inventory),
        "rows": vdev_rows(found, inventory),
        "menus": {} if shut else menus(found),
        "grown": any(vdev.expandable_bytes for vdev in found.vdevs),
        "scan": scan_words(found),
        "care": care_view(found, inventory),
        "speed": latest(newest_plain(found, inventory, "sequential")),
        "troubles": wrong,
        "lost": lost_in(found.name, inventory),
        "why_no_acknowledging": why_shut(request.user, "alerts:write"),
        "events": [(row, tone_view(convert(row.tone, Tone), row.words)) for row in report],
        "progress": progress_views(found, inventory.as_of),
        "properties": properties,
        "all_properties": sorted(found.properties.items()),
        "datasets": len(inventory.below(name)) + 1,
        "why_shut": shut,
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, part(request, "pools/pool.html"), context)


@page("pools:read")
def destroy(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan to destroy a pool. Nothing happens before it was read and confirmed."""
    if _found(name) is None:
        return missing(request, f"There is no pool {name}")
    return propose(request, "pool.destroy", {"name": name})


def _found(name: str) -> tuple[Inventory, Pool] | None:
    inventory = cache.current()
    found = inventory.pool(name) if inventory else None
    return (inventory, found) if inventory and found else None
