"""Teaching the bays: one disk after the other blinks or is pulled, and its bay is clicked."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from frontend.access import is_htmx, page, part, unchanged, why_shut
from frontend.bays.chassis_view import draw
from frontend.chassis.teach_view import Lesson, Mode, lesson
from frontend.disks.locate import asked
from frontend.findings import Errors
from frontend.plans.at_once import carry_out
from frontend.units import moment
from host.inventory import Inventory
from jobs import cache
from jobs.models import ACTIVE, Job


@page("disks:read")
def teach(request: HttpRequest) -> HttpResponseBase:
    """The lesson where it stands; a POST answers it, or asks another disk to blink."""
    inventory = cache.current()
    if request.method == "POST" and inventory is not None:
        return _answer(request, inventory)
    return show(request, disk=request.GET.get("disk", ""))


def show(
    request: HttpRequest,
    *,
    disk: str = "",
    problem: str = "",
    done: str = "",
    errors: Errors | None = None,
    status: int = 200,
) -> HttpResponseBase:
    """The page at `disk`, else at the first disk without a bay."""
    inventory = cache.current()
    sent = request.POST if request.method == "POST" else request.GET
    mode: Mode = "pull" if sent.get("mode") == "pull" else "blink"
    since = sent.get("since", "") or datetime.now(UTC).isoformat(timespec="seconds")
    now = lesson(inventory, mode=mode, disk_id=disk, since=_moment(since)) if inventory else None
    waits = Job.objects.filter(operation="disk.locate", state__in=ACTIVE).exists()
    mark = f"{inventory.as_of if inventory else ''}{waits}"
    if not problem and not done and (answer := unchanged(request, mark)):
        return answer
    context: dict[str, Any] = {
        "mark": mark,
        "lesson": now,
        "set": inventory is not None and inventory.chassis is not None,
        "asked": waits,
        "since": since,
        "here": f"?{urlencode({'mode': mode, 'disk': now.named if now else '', 'since': since})}",
        "problem": problem,
        "done": done,
        "errors": errors or Errors(),
        "why_shut": why_shut(request.user, "disks:write"),
    }
    if inventory is not None and now is not None:
        context |= {
            "chassis": draw(inventory),
            "full": _full(inventory) and not disk,
            "dark": next((pupil.why_dark for pupil in now.pupils if pupil.now), ""),
        }
    if request.method == "POST" and is_htmx(request):
        return render(request, "chassis/teach.html#live", context)
    return render(request, part(request, "chassis/teach.html"), context, status=status)


def _answer(request: HttpRequest, inventory: Inventory) -> HttpResponseBase:
    disk, bay = request.POST.get("disk", ""), request.POST.get("bay", "")
    problem = done = ""
    if bay:
        before = lesson(inventory, mode="blink", disk_id=disk)
        serial = before.disk.serial if before.disk else None
        outcome = carry_out(request, "bays.teach", {"disk": disk, "serial": serial, "bay": bay})
        problem = outcome.problem
        if not problem:
            done = " ".join([f"Bay {bay} is mapped.", *outcome.warnings])
            disk = _next(request, before)
    elif blink := request.POST.get("blink", ""):
        problem, disk = _blink(request, inventory, blink, before=disk), blink
    elif request.POST.get("dark"):
        problem = _light(request, inventory, disk, on=False)
    if is_htmx(request):
        return show(request, disk=disk, problem=problem, done=done)
    if problem:
        messages.error(request, problem)
    mode, since = request.POST.get("mode", "blink"), request.POST.get("since", "")
    return redirect(f"/teach/?{urlencode({'mode': mode, 'disk': disk, 'since': since})}")


def _next(request: HttpRequest, before: Lesson) -> str:
    """Darken the disk that was found and let the next one blink; answers that one's id."""
    inventory = cache.current()
    if before.disk is None or inventory is None:
        return ""
    if before.blinking:
        _light(request, inventory, before.disk.id, on=False)
    if request.POST.get("mode") == "pull" or not before.skip or _full(inventory):
        return ""
    if before.blinking:
        _light(request, inventory, before.skip, on=True)
    return before.skip


def _blink(request: HttpRequest, inventory: Inventory, disk: str, *, before: str) -> str:
    if before and before != disk and lesson(inventory, mode="blink", disk_id=before).blinking:
        _light(request, inventory, before, on=False)
    return _light(request, inventory, disk, on=True)


def _light(request: HttpRequest, inventory: Inventory, disk_id: str, *, on: bool) -> str:
    """Ask for a light and do not wait long: the page shows by itself when it shines."""
    disk = inventory.disk(disk_id)
    if disk is None:
        return "This disk is not in the machine."
    return carry_out(request, "disk.locate", asked(disk, on=on), timeout_s=0.2).problem


def _full(inventory: Inventory) -> bool:
    bays = inventory.bays
    return bool(bays) and all(place.disk is not None and place.known_by != "order" for place in bays)


def _moment(text: str) -> datetime | None:
    try:
        return moment(text)
    except ValueError:
        return None
