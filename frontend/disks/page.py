"""Disks: the chassis with its table twin, those that left, and one disk."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from alerts.incidents.past import of_disk
from disks.drives.wipe import in_use
from disks.models import DiskRecord
from disks.records import all_records, record_of
from frontend.access import is_htmx, page, part, unchanged, why_shut
from frontend.bays.chassis_view import draw
from frontend.bays.vdevs import MemberPlace, member_places
from frontend.bays.view import why_not
from frontend.bays.vitals import vitals
from frontend.disks import view as disk_view
from frontend.disks.form import NoteForm, note_of
from frontend.disks.smart_view import health_state
from frontend.findings import Errors
from frontend.missing import missing
from frontend.states import StateView, disk_state
from frontend.units import binary
from host.inventory import Disk, Inventory
from jobs import cache

SHOWN = (
    ("all", "All"),
    ("trouble", "Needs a look"),
    ("free", "Free"),
    ("asleep", "Asleep"),
    ("gone", "Left"),
)


class DiskRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk with its state, its seat in a pool if it has one, and its bay's place in the drawing."""

    disk: Disk
    state: StateView
    health: StateView
    member: MemberPlace | None
    at: int = 0

    @property
    def size(self) -> str:
        """Its size, short."""
        return binary(self.disk.size_bytes)


@page("disks:read")
def disks(request: HttpRequest) -> HttpResponseBase:
    """All disks, or those that `show` names."""
    inventory = cache.current()
    shown = request.GET.get("show", "all")
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    context: dict[str, Any] = {"mark": mark, "show": shown, "shown": SHOWN, "query": _query(request)}
    if inventory is not None:
        drawn = draw(inventory, vitals=vitals(inventory), view=request.GET.get("view"))
        placed = member_places(inventory)
        places = {bay.disk_id: bay.place for bay in drawn.bays}
        rows = [row_of(disk, placed.get(disk.id), at=places.get(disk.id, 0)) for disk in inventory.disks]
        rows.sort(key=lambda row: row.at or len(places) + 1)
        gone = all_records(gone=True)
        context |= {
            "chassis": drawn,
            "rows": [row for row in rows if _wanted(row, shown)],
            "gone": [(record, health_state(record.verdict)) for record in gone] if shown == "gone" else [],
            "gone_count": len(gone),
        }
    return render(request, part(request, "disks/disks.html"), context)


@page("disks:read")
def disk(request: HttpRequest, disk_id: str) -> HttpResponseBase:
    """One disk, by any of its by-id names or its serial; one that left by what is remembered."""
    inventory = cache.current()
    serial = request.GET.get("serial", "")  # printed labels name both: links may be called otherwise by now
    found = find(inventory, disk_id) or find(inventory, serial)
    if inventory is None or found is None:
        return _gone(request, record_of(disk_id) or record_of(serial))
    return show(request, inventory, found)


def show(request: HttpRequest, inventory: Inventory, found: Disk, **more: Any) -> HttpResponseBase:
    """The page of a disk that is here; `more` are errors and what was typed."""
    record = record_of(found.id) or (record_of(found.serial) if found.serial else None)
    row = row_of(found, member_places(inventory).get(found.id))
    health = disk_view.health(record)
    context: dict[str, Any] = {
        "row": row,
        "disk": found,
        "member": row.member,
        "why_not": why_not(found),
        "place": disk_view.disk_bay(found, inventory),
        "health": health,
        "burn_in": disk_view.burn_in(record),
        "errors": Errors(),
        "care_href": f"/disks/{found.id}/care/",
        "tested": None if found.test_remaining_percent is None else 100 - found.test_remaining_percent,
    } | _allowed(request, found, health)
    wanted = {"tests": "tests", "burn-in": "burning"}.get(request.GET.get("part", ""))
    if wanted and is_htmx(request):
        return render(request, f"disks/disk.html#{wanted}", context | more)
    context |= _remembered(record)
    if request.user.has_perm("alerts:read"):
        context["incidents"] = of_disk(found.links)
    return render(request, "disks/disk.html", context | more, status=422 if more.get("errors") else 200)


def find(inventory: Inventory | None, name: str) -> Disk | None:
    """The disk of that by-id name; or of that serial, where only one has it."""
    if inventory is None:
        return None
    same = [disk for disk in inventory.disks if disk.serial == name]
    return inventory.disk(name) or (same[0] if len(same) == 1 else None)


def row_of(disk: Disk, member: MemberPlace | None, *, at: int = 0) -> DiskRow:
    """The disk in one line."""
    state = disk_state(disk, member.leaf if member else None)
    return DiskRow(disk=disk, state=state, health=health_state(disk.health), member=member, at=at)


def _gone(request: HttpRequest, record: DiskRecord | None) -> HttpResponseBase:
    if record is None:
        return missing(request, "This disk is not in the machine now")
    context = {
        "record": record,
        "health": disk_view.health(record),
        "errors": Errors(),
        "care_href": f"/disks/{record.last_id}/care/",
        "why_shut": why_shut(request.user, "disks:write"),
    }
    return render(request, "disks/disk_gone.html", context | _remembered(record))


def _remembered(record: DiskRecord | None) -> dict[str, Any]:
    return {
        "events": disk_view.history(record),
        "temperature": disk_view.temperature(record),
        "series": disk_view.temperature_name(record) if record else "",
        "note": note_of(record) if record else NoteForm(),
        "warranty": disk_view.warranty_words(record.warranty_until) if record else "",
    }


def _allowed(request: HttpRequest, disk: Disk, health: disk_view.HealthView) -> dict[str, Any]:
    """Which buttons are shut, and why; the plans have the last word."""
    shut = why_shut(request.user, "disks:write")
    burning = shut or why_shut(request.user, "destroy")
    if not burning and not disk.free:
        burning = f"Only a disk that nothing claims can be burnt in; this one holds {disk.used_by}."
    if not burning and disk.serial is None:
        burning = "The disk tells no serial, so it cannot be confirmed which one is meant."
    wiping = shut or why_shut(request.user, "destroy")
    if not wiping and any(in_use(claim) for claim in disk.claims):
        wiping = "Something on it is in use. Stop, export or unmount that first."
    unknown = "It does not tell SMART values, so it has no self-tests here." if health.unsupported else None
    return {
        "why_shut": shut,
        "why_no_burn_in": burning,
        "why_no_test": shut or unknown,
        "why_no_wipe": wiping,
    }


def _wanted(row: DiskRow, shown: str) -> bool:
    if shown == "trouble":
        return row.state.tone in {"warn", "bad"} or row.health.tone in {"warn", "bad"}
    if shown == "free":
        return row.disk.free
    return bool(row.disk.asleep) if shown == "asleep" else shown != "gone"


def _query(request: HttpRequest) -> str:
    """What a poll must ask again."""
    kept = request.GET.copy()
    kept.pop("seen", None)
    return f"&{kept.urlencode()}" if kept else ""
