"""What is done with one disk: self-tests, burn-in, its note."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from disks.links import disk_href
from disks.records import record_of
from frontend.access import page
from frontend.disks.form import note_data, note_sent
from frontend.disks.page import find, show
from frontend.findings import beside
from frontend.missing import missing
from frontend.plans.at_once import carry_out, show_outcome
from frontend.plans.page import propose
from host.inventory import Disk, Inventory
from jobs import cache
from jobs.plan import Finding

_TOLD = {
    "short": "Short self-test started.",
    "long": "Long self-test started.",
    "abort": "Self-test aborted.",
}
_NOTE_FIELDS = {"note": "note", "purchased": "purchased", "warranty_until": "warranty_until"}


@page("disks:read")
@require_POST
def care(request: HttpRequest, disk_id: str) -> HttpResponseBase:
    """`test` starts or aborts a self-test; `do` is note, forget, wipe, burn-in or stop-burn-in."""
    inventory = cache.current()
    found = find(inventory, disk_id)
    do = request.POST.get("do", "")
    if do == "note":
        return _note(request, inventory, found, disk_id)
    if do == "forget":
        record = record_of(disk_id)
        serial = {"serial": record.serial} if record and record.serial else {}
        return propose(request, "disk.forget", {"disk": disk_id} | serial)
    if inventory is None or found is None:
        return missing(request, "This disk is not in the machine")
    if do == "wipe":
        return propose(request, "disk.wipe", _named(found))
    if do == "burn-in":
        return _burn_in(request, inventory, found)
    if do == "stop-burn-in":
        outcome = carry_out(request, "disk.stop-burn-in", _named(found))
        show_outcome(request, outcome, "Burn-in stopped.")
        return redirect(f"{disk_href(found.id)}#burn-in")
    kind = request.POST.get("test", "")
    outcome = carry_out(request, "disk.smart-test", _named(found) | {"kind": kind})
    show_outcome(request, outcome, _TOLD.get(kind, "Done."))
    return redirect(f"{disk_href(found.id)}#tests")


def _note(
    request: HttpRequest, inventory: Inventory | None, disk: Disk | None, disk_id: str
) -> HttpResponseBase:
    record = record_of(disk_id)
    if disk is None and record is None:
        return missing(request, "This disk is not known")
    form = note_sent(request.POST)
    name = disk.id if disk else record.last_id if record else disk_id
    outcome = carry_out(request, "disk.note", {"disk": name} | note_data(form))
    if outcome.findings and inventory is not None and disk is not None:
        return show(request, inventory, disk, errors=beside(outcome.findings, _NOTE_FIELDS), note=form)
    show_outcome(request, outcome, "Note saved.")
    return redirect(disk_href(name))


def _burn_in(request: HttpRequest, inventory: Inventory, disk: Disk) -> HttpResponseBase:
    """The plan, which says what is lost. The serial that was typed is what the plan is asked for."""

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        typed = request.POST.get("serial", "")
        return show(request, inventory, disk, errors=beside(findings, {"serial": "serial"}), typed=typed)

    data = _named(disk) | {"serial": request.POST.get("serial", "").strip()}
    return propose(request, "disk.burn-in", data, refused=refused)


def _named(disk: Disk) -> dict[str, Any]:
    return {"disk": disk.id, "serial": disk.serial}
