"""Pools that are on disks here but not imported: what is known of them, a scan, and their import."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.plans.page import propose
from frontend.pools.import_view import unimported_views
from jobs import broker, cache, waiting
from jobs.plan import Finding
from jobs.planning import labels

_FLAGS = ("readonly", "missing_log", "force", "rewind", "to_checkpoint", "destroyed", "unmounted")
_TEXTS = ("new_name", "altroot")
_TIMEOUT_S = 8.0


@page("pools:read")
def importable(request: HttpRequest) -> HttpResponseBase:
    """The list; a POST asks for the plan of an import."""
    if request.method != "POST":
        return _show(request)
    flags = {name: True for name in _FLAGS if request.POST.get(name) == "yes"}
    texts = {name: text for name in _TEXTS if (text := request.POST.get(name, "").strip())}
    data: dict[str, Any] = {"guid": request.POST.get("guid", "")} | flags | texts
    if name := request.POST.get("name", ""):
        data["name"] = name

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, findings)

    return propose(request, "pool.import", data, refused=refused)


@page("pools:read")
@require_POST
def probe(request: HttpRequest) -> HttpResponseBase:
    """Have the labels of all disks read, and with a `guid` what a rewind of that pool would give up."""
    guid = request.POST.get("guid", "")
    if guid.isascii() and guid.isdecimal() and 0 < len(guid) <= 20:
        labels.want_loss_of(guid)
    now = timezone.now()
    asked = now.replace(microsecond=now.microsecond // 1000 * 1000)
    if not broker.send("jobs.tasks.scan_for_pools"):
        messages.warning(request, "The queue does not respond, so the disks cannot be scanned now.")
    elif not waiting.newer_search(asked, timeout_s=_TIMEOUT_S):
        messages.info(request, "The disks are being read. Sleeping disks need a moment; reload this page.")
    return redirect("import")


def _show(request: HttpRequest, findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
    inventory = cache.current()
    known = labels.with_known(inventory) if inventory else None
    guid = request.POST.get("guid", "")
    fields = {name: f"{name}-{guid}" for name in ("new_name", "altroot", *_FLAGS)}
    found = unimported_views(known) if known else ()
    context = {
        "alive": [pool for pool in found if not pool.destroyed],
        "destroyed": [pool for pool in found if pool.destroyed],
        "as_of": known.importable.as_of if known and known.importable else None,
        "problem": labels.problem(),
        "asleep": sum(bool(disk.asleep) for disk in inventory.disks) if inventory else 0,
        "errors": beside(findings, fields) if findings else Errors(),
        "guid": guid,
        "sent": request.POST,
        "why_shut": why_shut(request.user, "pools:write"),
        "why_no_destroying": why_shut(request.user, "pools:write", "destroy"),
    }
    return render(request, "pools/import.html", context, status=422 if findings else 200)
