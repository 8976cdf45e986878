"""Disks: the chassis with its table twin, and one disk."""

from __future__ import annotations

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import page, part, unchanged
from frontend.chassis_view import draw, why_not
from frontend.missing import missing
from frontend.states import StateView, disk_state
from frontend.vdevs import Seat, seats
from host.inventory import Disk
from jobs import cache


class DiskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk with its state and its seat in a pool, if it has one."""

    disk: Disk
    state: StateView
    seat: Seat | None


@page("disks:read")
def disks(request: HttpRequest) -> HttpResponseBase:
    """All disks."""
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    context: dict[str, object] = {"mark": mark}
    if inventory is not None:
        seated = seats(inventory)
        rows = [_row(disk, seated.get(disk.id)) for disk in inventory.disks]
        drawn = draw(inventory)
        order = {bay.disk_id: place for place, bay in enumerate(drawn.bays)}
        rows.sort(key=lambda row: order.get(row.disk.id, len(order)))
        context |= {"chassis": drawn, "rows": rows}
    return render(request, part(request, "disks.html"), context)


@page("disks:read")
def disk(request: HttpRequest, disk_id: str) -> HttpResponseBase:
    """One disk, by any of its by-id names."""
    inventory = cache.current()
    found = inventory.disk(disk_id) if inventory else None
    if inventory is None or found is None:
        return missing(request, "This disk is not in the machine now")
    row = _row(found, seats(inventory).get(found.id))
    context = {"row": row, "disk": found, "seat": row.seat, "why_not": why_not(found)}
    return render(request, "disk.html", context)


def _row(disk: Disk, seat: Seat | None) -> DiskRow:
    return DiskRow(disk=disk, state=disk_state(disk, seat.leaf if seat else None), seat=seat)
