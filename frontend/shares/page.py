"""Shares: all of them, what holds for all, and applying them again."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend.access import page, part, unchanged, why_shut
from frontend.findings import Errors, beside
from frontend.plans.page import propose
from frontend.shares.view import COLUMNS, NFS_COLUMNS, foreign, nfs_rows, notices, smb_rows
from frontend.sorting import chosen, heads, in_order
from host.inventory import Inventory, SharingSettings
from jobs import cache
from jobs.plan import Finding
from shares.smb.render import machine_name

_FILTERED_FROM = 10  # with fewer, all are seen at a glance
_SWITCHES = ("smb2", "signing", "nfs3")
_FIELDS = {name: name for name in ("workgroup", "name", "interfaces", *_SWITCHES)}


@page("shares:read")
def shares(request: HttpRequest) -> HttpResponseBase:
    """Shares of SMB and exports of NFS with where they stand; `?q=` a filter."""
    inventory = cache.current()
    mark = inventory.as_of if inventory else ""
    if answer := unchanged(request, mark):
        return answer
    text = request.GET.get("q", "").strip()[:200]
    sharing = inventory.sharing if inventory else None
    sort = chosen(request.GET.get("sort", ""), COLUMNS, otherwise="name")
    by_nfs = chosen(sort, NFS_COLUMNS, otherwise="name")  # an export has no purpose

    def address(by: str) -> str:
        return f"?{urlencode({'q': text, 'sort': by})}"

    count = len(sharing.smb) + len(sharing.nfs) if sharing else 0
    context = {
        "mark": mark,
        "known": inventory is not None,
        "q_shares": text,
        "count": count,
        "filtered": count > _FILTERED_FROM or bool(text),
        "sort": sort,
        "smb_heads": heads(COLUMNS, sort, address),
        "nfs_heads": heads(NFS_COLUMNS, sort, address),
        "smb": in_order(smb_rows(inventory, text), sort, COLUMNS) if inventory else (),
        "nfs": in_order(nfs_rows(inventory, text), by_nfs, NFS_COLUMNS) if inventory else (),
        "notices": notices(inventory) if inventory else (),
        "foreign": foreign(inventory) if inventory else (),
        "has_datasets": bool(inventory and inventory.datasets),
        "why_shut": why_shut(request.user, "shares:write"),
    }
    return render(request, part(request, "shares/shares.html"), context)


@page("shares:read")
@require_POST
def apply(request: HttpRequest) -> HttpResponseBase:
    """The plan to write the files of all shares again."""
    return propose(request, "sharing.apply", {})


@page("shares:read")
def settings(request: HttpRequest) -> HttpResponseBase:
    """What holds for all shares; a POST asks for the plan of what was changed."""
    inventory = cache.current()
    now = inventory.sharing.settings if inventory else SharingSettings()
    if request.method != "POST":
        return _show(request, inventory, now)
    names = request.POST.get("interfaces", "").replace(",", " ").split()
    wanted = SharingSettings(
        workgroup=request.POST.get("workgroup", "").strip(),
        name=request.POST.get("name", "").strip(),
        interfaces=tuple(names),
        **{name: request.POST.get(name) == "yes" for name in _SWITCHES},
    )
    data = {
        name: getattr(wanted, name)
        for name in SharingSettings.__struct_fields__
        if getattr(wanted, name) != getattr(now, name)
    }
    if not data:
        return _show(request, inventory, now, unchanged_form=True)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, wanted, findings)

    return propose(request, "sharing.set", data, refused=refused)


def _show(
    request: HttpRequest,
    inventory: Inventory | None,
    form: SharingSettings,
    findings: tuple[Finding, ...] = (),
    *,
    unchanged_form: bool = False,
) -> HttpResponseBase:
    name = machine_name(SharingSettings(), inventory.facts.name) if inventory else "NAS"
    context = {
        "form": form,
        "interfaces": " ".join(form.interfaces),
        "own_name": name,
        "unchanged_form": unchanged_form,
        "errors": beside(findings, _FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
    }
    return render(request, "shares/sharing_settings.html", context, status=422 if findings else 200)
