"""The list of disks below the chassis: sorted, narrowed down, and those that left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from disks.records import all_records
from frontend.access import page, part, unchanged, why_shut
from frontend.bays.chassis_view import draw
from frontend.bays.vdevs import member_places
from frontend.bays.vitals import vitals
from frontend.disks.row import DiskRow, row_of
from frontend.disks.smart_view import health_state
from frontend.sorting import Column, chosen, heads, in_order
from jobs import cache

_WORST_FIRST = ("failing", "warning", "unknown", "good")
_FAULTY = {"warn", "bad"}
SHOWN: dict[str, tuple[str, Callable[[DiskRow], bool]]] = {
    "all": ("All", lambda row: True),
    "trouble": ("Needs attention", lambda row: bool({row.state.tone, row.health.tone} & _FAULTY)),
    "failing": ("Failing", lambda row: "bad" in {row.state.tone, row.health.tone}),
    "pool": ("In a pool", lambda row: row.member is not None),
    "free": ("Free", lambda row: row.disk.free),
    "asleep": ("Asleep", lambda row: bool(row.disk.asleep)),
    "gone": ("Removed", lambda row: False),
}
COLUMNS: dict[str, Column[Callable[[DiskRow], Any]]] = {
    "bay": Column("Bay", lambda row: row.at or None),
    "model": Column("Model", lambda row: row.disk.model.casefold()),
    "serial": Column("Serial", lambda row: row.disk.serial, priority=2),
    "size": Column("Size", lambda row: row.disk.size_bytes, number=True, down=True),
    "temperature": Column("Temperature", lambda row: row.disk.temperature_celsius, number=True, down=True),
    "health": Column("Health", lambda row: _WORST_FIRST.index(row.disk.health)),
    "hours": Column("Power-on time", lambda row: row.hours, number=True, down=True, priority=2),
    "use": Column("Used by", lambda row: row.member.pool if row.member else row.disk.used_by),
}


@page("disks:read")
def disks(request: HttpRequest) -> HttpResponseBase:
    """All disks, or those that `?show=` names, in the order of `?sort=`."""
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    shown = request.GET.get("show", "all")
    shown = shown if shown in SHOWN else "all"
    sort = chosen(request.GET.get("sort", ""), COLUMNS, otherwise="bay")
    context: dict[str, Any] = {
        "mark": mark,
        "show": shown,
        "shown": [(name, title, _address(request, show=name)) for name, (title, _) in SHOWN.items()],
        "heads": heads(COLUMNS, sort, lambda by: _address(request, sort=by)),
        "query": _address(request).replace("?", "&", 1),
        "here": request.path + _address(request),
        "why_shut": why_shut(request.user, "disks:write"),
    }
    if inventory is not None:
        known = vitals(inventory)
        drawn = draw(inventory, vitals=known, view=request.GET.get("view"))
        placed = member_places(inventory)
        places = {bay.disk_id: bay.place for bay in drawn.bays}
        hours = {name: one.hours for name, one in known.items()}
        rows = [
            row_of(disk, placed.get(disk.id), at=places.get(disk.id, 0), hours=hours.get(disk.id))
            for disk in inventory.disks
        ]
        by_bay = in_order(rows, "bay", COLUMNS)
        gone = all_records(gone=True)
        context |= {
            "chassis": drawn,
            "rows": in_order(filter(SHOWN[shown][1], by_bay), sort, COLUMNS),
            "gone": [(record, health_state(record.verdict)) for record in gone] if shown == "gone" else [],
            "gone_count": len(gone),
        }
    return render(request, part(request, "disks/disks.html"), context)


def _address(request: HttpRequest, **changes: str) -> str:
    """The query of this page with these changes; what a poll has seen is left out."""
    kept = {name: str(value) for name, value in request.GET.items() if name != "seen"} | changes
    return f"?{urlencode(kept)}" if kept else ""
