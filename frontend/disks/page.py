"""One disk: what is known of it, here or gone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from alerts.incidents.past import of_disk
from disks.drives.wipe import in_use
from disks.models import DiskRecord
from disks.records import record_of, series_key
from frontend.access import is_htmx, page, why_shut
from frontend.bays.vdevs import member_places
from frontend.bays.view import why_not
from frontend.disks import view as disk_view
from frontend.disks.form import NoteForm, note_of
from frontend.disks.row import row_of
from frontend.findings import Errors
from frontend.missing import missing
from host.inventory import Disk, Inventory
from host.inventory.disks import WHY_NAMELESS
from jobs import cache


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
        "why_nameless": WHY_NAMELESS,
        "place": disk_view.disk_bay(found, inventory),
        "health": health,
        "burn_in": disk_view.burn_in(record),
        "errors": Errors(),
        "care_href": f"/disks/{found.id}/care/",
        "schedule": disk_view.self_tests(found, inventory),
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
    """The disk of that by-id name, or kernel name where it has no other; or of that serial, where only one
    has it."""
    if inventory is None:
        return None
    same = [disk for disk in inventory.disks if disk.serial == name]
    return inventory.disk(name) or inventory.nameless(name) or (same[0] if len(same) == 1 else None)


def _gone(request: HttpRequest, record: DiskRecord | None) -> HttpResponseBase:
    if record is None:
        return missing(request, "This disk is not in the machine")
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
        "history": disk_view.history(record),
        "temperature": disk_view.temperature(record),
        "series_key": series_key(record) if record else "",
        "note": note_of(record) if record else NoteForm(),
        "warranty": disk_view.warranty_words(record.warranty_until) if record else "",
    }


def _allowed(request: HttpRequest, disk: Disk, health: disk_view.HealthView) -> dict[str, Any]:
    """Which buttons are shut, and why; the plans have the last word."""
    shut = why_shut(request.user, "disks:write") or (None if disk.links else "It has no lasting name.")
    burning = shut or why_shut(request.user, "destroy")
    if not burning and not disk.free:
        burning = f"Only an unused disk can be burnt in; this one holds {disk.used_by}."
    if not burning and disk.serial is None:
        burning = "The disk reports no serial, so it cannot be confirmed."
    wiping = shut or why_shut(request.user, "destroy")
    if not wiping and any(in_use(claim) for claim in disk.claims):
        wiping = "Something on it is in use. Stop, export or unmount that first."
    unknown = "It does not report SMART values, so it has no self-tests here." if health.unsupported else None
    return {
        "why_shut": shut,
        "why_no_burn_in": burning,
        "why_no_test": shut or unknown,
        "why_no_wipe": wiping,
    }
