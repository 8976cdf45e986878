"""What is done with all disks that are selected: each is a job of its own, and none loses anything."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.disks import locate
from frontend.plans.at_once import back_to, carry_out_all
from host.inventory import Disk
from jobs import cache
from jobs.wording import counted

_MOST = 200


@page("disks:read")
@require_POST
def act(request: HttpRequest) -> HttpResponseBase:
    """`do` is locate, or test for the short self-test, of the disks `disk`."""
    do = request.POST.get("do", "")
    if do not in {"locate", "test"}:
        raise SuspiciousOperation("Unknown action.")
    inventory = cache.current()
    named = request.POST.getlist("disk")[:_MOST]
    disks = [disk for name in dict.fromkeys(named) if inventory and (disk := inventory.disk(name))]
    if not disks:
        messages.error(request, "Select at least one disk.")
        return back_to(request, "/disks/")
    operation = "disk.locate" if do == "locate" else "disk.smart-test"
    outcomes = carry_out_all(request, operation, [_asked(disk, do) for disk in disks])
    wrong = [
        f"{disk.bay or disk.id}: {outcome.problem}"
        for disk, outcome in zip(disks, outcomes, strict=True)
        if outcome.problem
    ]
    done = sum(outcome.done for outcome in outcomes)
    waiting = len(disks) - done - len(wrong)
    what = "Locate light" if do == "locate" else "Short self-test"
    if done:
        messages.success(request, f"{what} started on {counted(done, 'disk')}.")
    if waiting:
        messages.info(request, f"{what}: {counted(waiting, 'job')} still running.")
    if wrong:
        messages.error(request, " ".join(wrong))
    return back_to(request, "/disks/")


def _asked(disk: Disk, do: str) -> dict[str, Any]:
    if do == "locate":
        return locate.asked(disk, on=True)
    return {"disk": disk.id, "serial": disk.serial, "kind": "short"}
