"""md arrays: the list, one array, and the forms that lead to plans."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from alerts import arrays_checked
from alerts.models import ArrayEvent
from frontend.access import page, part, unchanged, why_shut
from frontend.arrays.view import array_lines, array_view
from frontend.findings import beside
from frontend.missing import missing
from frontend.plans.at_once import carry_out, show_outcome
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.states import Tone, tone_view
from host.inventory import Inventory, MdArray
from host.typed import convert
from jobs import cache
from jobs.plan import Finding
from pools.arrays.candidates import returning, to_join
from pools.links import array_href
from pools.members.candidates import to_add

LEVELS = (
    (1, "RAID 1: each disk holds a copy of everything"),
    (5, "RAID 5: one disk may fail; at least 3"),
    (6, "RAID 6: two disks may fail; at least 4"),
    (10, "RAID 10: pairs of copies, quick; at least 4"),
)
FILE_SYSTEMS = (("ext4", "ext4"), ("xfs", "XFS"), ("", "none: leave it empty"))
_MOST_TOLD = 30
_AT_ONCE = {"check": ("start", "Check started."), "check-stop": ("stop", "Check stopped.")}


@page("pools:read")
def arrays(request: HttpRequest) -> HttpResponseBase:
    """All arrays that are assembled."""
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "arrays": array_lines(inventory) if inventory else (),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, part(request, "arrays/arrays.html"), context)


@page("pools:read")
def array(request: HttpRequest, name: str) -> HttpResponseBase:
    """One array: its members, what goes on in it, and what can be done."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no array {name}")
    inventory, found = known
    report = ArrayEvent.objects.filter(uuid=found.uuid)[:_MOST_TOLD]
    mark = f"{inventory.as_of}.{report[0].pk if report else 0}"
    if answer := unchanged(request, mark):
        return answer
    view = array_view(found, inventory)
    context = {
        "mark": mark,
        "events": [(row, tone_view(convert(row.tone, Tone), row.words)) for row in report],
        "check": arrays_checked.of_array(found.uuid),
        "view": view,
        "array": found,
        "progress": [view.line.progress] if view.line.progress else [],
        "returning": returning(found, inventory) if view.changeable else (),
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, part(request, "arrays/array.html"), context)


@page("pools:read")
@require_POST
def act(request: HttpRequest, name: str) -> HttpResponseBase:
    """`do` says what: a check at once, anything else as a plan."""
    if _found(name) is None:
        return missing(request, f"There is no array {name}")
    do, disk = request.POST.get("do", ""), request.POST.get("disk", "")
    if do in _AT_ONCE:
        action, done = _AT_ONCE[do]
        show_outcome(request, carry_out(request, "array.check", {"name": name, "action": action}), done)
        return redirect(array_href(name))
    planned: dict[str, tuple[str, dict[str, Any]]] = {
        "start": ("array.start", {}),
        "space": ("array.grow", {"what": "space"}),
        "remove": ("array.remove", {"member": disk}),
        "back": ("array.add", {"disk": disk}),
        "anew": ("array.add", {"disk": disk, "anew": True}),
    }
    if do not in planned:
        raise SuspiciousOperation("Unknown action.")
    operation, more = planned[do]
    return propose(request, operation, {"name": name} | more)


@page("pools:read")
def add(request: HttpRequest, name: str) -> HttpResponseBase:
    """Choose the disk that joins, or with `?member=` the one that takes a member's place."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no array {name}")
    inventory, found = known
    sent = request.POST if request.method == "POST" else request.GET
    member, chosen = sent.get("member", ""), sent.get("disk", "")
    old = inventory.disk(member)

    def form(findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
        disks = to_join(found, inventory)
        context = {
            "array": found, "old": old, "chosen": chosen,
            "possible": [one for one in disks if not one.why], "others": [one for one in disks if one.why],
            "errors": beside(findings, {"disk": "disk"}) if findings else "",
            "why_shut": why_shut(request.user, "pools:write"),
        }  # fmt: skip
        return render(request, "arrays/array_add.html", context, status=422 if findings else 200)

    if request.method != "POST":
        return form()
    data = {"name": name} | ({"disk": chosen} if chosen else {})
    if member:  # also where that disk has just gone: to add one is another wish, and has to be said
        return propose(request, "array.replace", data | {"member": member}, refused=form)
    return propose(request, "array.add", data, refused=form)


@page("pools:read")
def grow(request: HttpRequest, name: str) -> HttpResponseBase:
    """Choose the disks over which an array spreads."""
    if (known := _found(name)) is None:
        return missing(request, f"There is no array {name}")
    inventory, found = known
    disks = request.POST.getlist("disks")

    def form(findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
        all_disks = to_join(found, inventory)
        context = {
            "array": found, "many": disks,
            "possible": [one for one in all_disks if not one.why],
            "others": [one for one in all_disks if one.why],
            "errors": beside(findings, {"disks": "disks"}) if findings else "",
            "why_shut": why_shut(request.user, "pools:write"),
        }  # fmt: skip
        return render(request, "arrays/array_grow.html", context, status=422 if findings else 200)

    if request.method != "POST":
        return form()
    return propose(request, "array.grow", {"name": name, "what": "disks", "disks": disks}, refused=form)


@page("pools:read")
def create(request: HttpRequest) -> HttpResponseBase:
    """Name, level, disks and file system of a new array."""
    again = "request" in request.POST  # from a plan, to change what was asked for
    shown = _asked_before(request) if again else _typed(request)

    def form(findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
        inventory = cache.current()
        found = to_add(inventory) if inventory else ()
        fields = {field: field for field in ("name", "level", "disks", "fstype", "mountpoint")}
        context = {
            "form": shown, "levels": LEVELS, "file_systems": FILE_SYSTEMS,
            "possible": [one for one in found if not one.why], "others": [one for one in found if one.why],
            "errors": beside(findings, fields) if findings else "",
            "why_shut": why_shut(request.user, "pools:write"),
        }  # fmt: skip
        return render(request, "arrays/array_form.html", context, status=422 if findings else 200)

    if again or request.method != "POST":
        return form()
    level = shown["level"]
    data: dict[str, Any] = {
        "name": shown["name"], "level": int(level) if level in {"1", "5", "6", "10"} else level,
        "disks": shown["disks"],
    }  # fmt: skip
    data |= {"fstype": shown["fstype"]} if shown["fstype"] else {}
    data |= {"mountpoint": shown["mountpoint"]} if shown["mountpoint"] else {}
    return propose(request, "array.create", data, refused=form)


@page("pools:read")
def destroy(request: HttpRequest, name: str) -> HttpResponseBase:
    """The plan to take an array apart. Nothing happens before it was read and confirmed."""
    if _found(name) is None:
        return missing(request, f"There is no array {name}")
    return propose(request, "array.destroy", {"name": name})


def _typed(request: HttpRequest) -> dict[str, Any]:
    sent = request.POST
    return {
        "name": sent.get("name", "").strip(), "level": sent.get("level", "1"), "disks": sent.getlist("disks"),
        "fstype": sent.get("fstype", "ext4"), "mountpoint": sent.get("mountpoint", "").strip(),
    }  # fmt: skip


def _asked_before(request: HttpRequest) -> dict[str, Any]:
    data = sent_request(request)
    disks = data.get("disks")
    return {
        "name": str(data.get("name", "")), "level": str(data.get("level", 1)),
        "disks": disks if isinstance(disks, list) else [], "fstype": str(data.get("fstype") or ""),
        "mountpoint": str(data.get("mountpoint") or ""),
    }  # fmt: skip


def _found(name: str) -> tuple[Inventory, MdArray] | None:
    inventory = cache.current()
    found = inventory.array(name) if inventory else None
    return (inventory, found) if inventory and found else None
