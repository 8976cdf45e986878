"""One export of NFS: how to mount it, its clients, its end; and the form for a new one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import is_htmx, page, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.shares import nfs_form as export_form
from frontend.shares.connect_view import names_of, nfs_lines
from frontend.shares.nfs_form import ExportForm
from frontend.shares.place_choices import to_share
from frontend.shares.view import share_state
from host.inventory import Inventory, NfsShare
from jobs import cache
from jobs.plan import Finding
from shares.answers import nfs_answer
from shares.links import rights_href


@page("shares:read")
def export(request: HttpRequest, share_id: int) -> HttpResponseBase:
    """The export; a POST asks for another row, or for the plan of what was changed."""
    if (known := _found(share_id)) is None:
        return missing(request, f"There is no export with the number {share_id}")
    inventory, found = known
    if request.method != "POST":
        return _show(request, inventory, found, export_form.of_export(found))
    form = export_form.of_post(request.POST)
    if export_form.asks_for_rows(request.POST):
        return _show(request, inventory, found, form)
    data = export_form.changes(form, found)
    if not data:
        return _show(request, inventory, found, form, unchanged_form=True)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, form, findings)

    return propose(request, "nfs.change", {"id": found.id} | data, refused=refused)


@page("shares:read")
def create(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it."""
    inventory = cache.current()
    if request.method != "POST":
        return _show_new(request, inventory, ExportForm(dataset=request.GET.get("dataset", "")))
    if "request" in request.POST:
        return _show_new(request, inventory, export_form.of_request(sent_request(request)))
    form = export_form.of_post(request.POST)
    if export_form.asks_for_rows(request.POST):
        return _show_new(request, inventory, form)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show_new(request, inventory, form, findings)

    data = {
        "dataset": form.dataset,
        "clients": export_form.clients(form.rows),
        "below": form.below,
        "enabled": form.enabled,
    }
    return propose(request, "nfs.create", data, refused=refused)


@page("shares:read")
def delete(request: HttpRequest, share_id: int) -> HttpResponseBase:
    """The plan to stop exporting."""
    if _found(share_id) is None:
        return missing(request, f"There is no export with the number {share_id}")
    return propose(request, "nfs.delete", {"id": share_id})


def _show(
    request: HttpRequest,
    inventory: Inventory,
    found: NfsShare,
    form: ExportForm,
    findings: tuple[Finding, ...] = (),
    *,
    unchanged_form: bool = False,
) -> HttpResponseBase:
    answer = nfs_answer(found, inventory)
    names = names_of(inventory, request.get_host(), request.GET.get("by", ""))
    version3 = inventory.sharing.settings.nfs3
    context = _choices(request, form, findings) | {
        "share": found,
        "answer": answer,
        "state": share_state(answer),
        "known": inventory.dataset(found.dataset) is not None,
        "names": names,
        "lines": nfs_lines(found, answer.path, names, version3=version3) if answer.path else (),
        "rights": rights_href(found.dataset),
        "unchanged_form": unchanged_form,
    }
    return _rendered(request, "shares/nfs_share.html", context, findings)


def _show_new(
    request: HttpRequest, inventory: Inventory | None, form: ExportForm, findings: tuple[Finding, ...] = ()
) -> HttpResponseBase:
    places = to_share(inventory, exported=True) if inventory else ()
    return _rendered(
        request, "shares/nfs_form.html", _choices(request, form, findings) | {"places": places}, findings
    )


def _choices(request: HttpRequest, form: ExportForm, findings: tuple[Finding, ...]) -> dict[str, Any]:
    fields = {"dataset": "dataset"} | export_form.fields_of(form.rows, "clients")
    return rows_context(form.rows) | {
        "form": form,
        "errors": beside(findings, fields) if findings else Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
    }


def rows_context(rows: tuple[export_form.ClientRow, ...]) -> dict[str, Any]:
    """What the template of the rows needs."""
    return {
        "rows": [(row, export_form.security_choices(row)) for row in rows],
        "squashes": export_form.SQUASH,
    }


def _rendered(
    request: HttpRequest, template: str, context: dict[str, Any], findings: tuple[Finding, ...]
) -> HttpResponseBase:
    if is_htmx(request) and export_form.asks_for_rows(request.POST):
        template = "shares/_nfs_clients.html"
    return render(request, template, context, status=422 if findings else 200)


def _found(share_id: int) -> tuple[Inventory, NfsShare] | None:
    inventory = cache.current()
    found = inventory.sharing.nfs_share(share_id) if inventory else None
    return (inventory, found) if inventory and found else None
