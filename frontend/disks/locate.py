"""Locate lights: on and off from wherever a disk is shown."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend.access import is_htmx, page, unchanged
from frontend.bays.lights import lights, lit_disks
from frontend.missing import missing
from frontend.plans.at_once import back_to, carry_out, show_outcome
from host.inventory import Disk
from jobs import cache

LIGHT_S = 300  # long enough to walk to the machine


@page("disks:read")
@require_POST
def locate(request: HttpRequest) -> HttpResponseBase:
    """`on` or `off` names one disk, `all` turns everything off. Answers with the lights, or goes back."""
    inventory = cache.current()
    on = request.POST.get("on", "")
    named = on or request.POST.get("off", "")
    if inventory is None:
        return missing(request, "The machine has not been probed yet")
    if request.POST.get("all") == "off":
        lit = lit_disks(inventory)
        disks = [disk for disk in inventory.disks if disk.id in lit]
    else:
        found = inventory.disk(named)
        if found is None:
            return missing(request, "This disk is not in the machine")
        disks = [found]
    for disk in disks:
        outcome = carry_out(request, "disk.locate", asked(disk, on=bool(on)))
        if not is_htmx(request):
            show_outcome(request, outcome, f"The light of {disk.bay or disk.id} is {'on' if on else 'off'}.")
    if is_htmx(request):
        return shining(request)
    return back_to(request, "/disks/")


@page("disks:read")
def shining(request: HttpRequest) -> HttpResponseBase:
    """What is lit now, for every page."""
    shown = lights(cache.current())
    if answer := unchanged(request, shown.mark):
        return answer
    return render(request, "disks/_lights.html", {"lights": shown})


def asked(disk: Disk, *, on: bool) -> dict[str, Any]:
    """The request of `disk.locate`: it names serial and bay, so that another disk cannot be meant."""
    data: dict[str, Any] = {"disk": disk.id, "serial": disk.serial, "bay": disk.bay, "on": on}
    return data | {"seconds": LIGHT_S} if on else data
