"""How often one disk tests itself on schedule."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect

from disks.links import disk_href
from frontend.access import page
from frontend.disks.page import find
from frontend.missing import missing
from frontend.plans.at_once import carry_out, show_outcome
from frontend.typed_size import whole_typed
from jobs import cache


@page("disks:read")
def of_disk(request: HttpRequest, disk_id: str) -> HttpResponseBase:
    """A POST says how one disk is tested."""
    inventory = cache.current()
    found = find(inventory, disk_id)
    if inventory is None or found is None:
        return missing(request, "This disk is not in the machine")
    which = request.POST.get("which", "")
    data: dict[str, Any] = {"disk": found.id, "serial": found.serial, "which": which}
    if which == "own":
        for name in ("short_days", "long_days"):
            text = request.POST.get(name, "").strip()
            data[name] = whole_typed(text) if text else None
    outcome = carry_out(request, "disk.schedule-self-tests", data)
    show_outcome(request, outcome, "Self-tests of this disk saved.")
    return redirect(f"{disk_href(found.id)}#tests")
