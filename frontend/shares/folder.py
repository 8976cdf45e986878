"""Share a folder: where, what for, who; then one plan and one job."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import render

from frontend.access import is_htmx, page, why_shut
from frontend.findings import Errors, beside
from frontend.plans.page import propose
from frontend.plans.sent_request import sent_request
from frontend.shares import form as share_form
from frontend.shares import nfs_form as export_form
from frontend.shares.form import GUESTS, ShareForm
from frontend.shares.nfs import rows_context
from frontend.shares.nfs_form import ClientRow
from frontend.shares.place_choices import to_make_in, to_share
from frontend.shares.who_form import who_rows
from host.inventory import Inventory
from jobs import cache
from jobs.plan import Finding
from jobs.planning.findings import fault
from shares.purposes import PURPOSES


class FolderForm(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the form: `where` is new or existing; `leaf` the name of a new dataset in `parent`."""

    where: str = "new"
    parent: str = ""
    leaf: str = ""
    set_rights: bool = True
    share: ShareForm = ShareForm()
    rows: tuple[ClientRow, ...] = (ClientRow(),)

    @property
    def dataset(self) -> str:
        """The whole path of the dataset."""
        return f"{self.parent}/{self.leaf}" if self.where == "new" else self.share.dataset

    @property
    def name(self) -> str:
        """What the share is called: as its folder, unless something else was typed."""
        return self.share.name or self.dataset.rpartition("/")[2]


@page("shares:read")
def share_folder(request: HttpRequest) -> HttpResponseBase:
    """The empty form, the form as it was left, or the plan for it. `?dataset=` and `?in=` choose where."""
    inventory = cache.current()
    if request.method != "POST":
        return _show(request, inventory, _asked(request, inventory))
    if "request" in request.POST:
        return _show(request, inventory, _of_request(sent_request(request)))
    form = _of_post(request.POST)
    if export_form.asks_for_rows(request.POST):
        return _show(request, inventory, form)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, form, _of_names(form, findings))

    faults = share_form.faults(form.share)
    return propose(request, "folder.share", to_request(form), refused=refused, faults=faults)


def to_request(form: FolderForm) -> dict[str, Any]:
    """The data of `folder.share`."""
    data = share_form.to_request(form.share)
    kept = ("purpose", "comment", "read", "write", "guests", "most_bytes")
    return {name: data[name] for name in kept if name in data} | {
        "dataset": form.dataset,
        "create": form.where == "new",
        "name": form.name,
        "nfs": export_form.clients(form.rows),
        "set_rights": form.set_rights,
    }


def _asked(request: HttpRequest, inventory: Inventory | None) -> FolderForm:
    dataset = request.GET.get("dataset", "")
    there = inventory is not None and inventory.dataset(dataset) is not None
    return FolderForm(
        where="existing" if there else "new",
        parent=request.GET.get("in", ""),
        share=ShareForm(dataset=dataset if there else ""),
    )


def _of_names(form: FolderForm, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """A name that is missing is told as that, and not as what it does to the path."""
    if form.where != "new" or form.leaf:
        return findings
    others = tuple(one for one in findings if one.field not in {"dataset", "name"})
    return (fault("no-name", "dataset", "Enter a name for the new folder."), *others)


def _of_post(post: QueryDict) -> FolderForm:
    return FolderForm(
        where="existing" if post.get("where") == "existing" else "new",
        parent=post.get("parent", "").strip(),
        leaf=post.get("leaf", "").strip(),
        set_rights=post.get("set_rights") == "yes",
        share=share_form.of_post(post, boxes=False),
        rows=export_form.rows_of_post(post),
    )


def _of_request(data: dict[str, Any]) -> FolderForm:
    dataset = str(data.get("dataset", ""))
    parent, _, leaf = dataset.rpartition("/")
    return FolderForm(
        where="new" if data.get("create") is True else "existing",
        parent=parent,
        leaf=leaf,
        set_rights=data.get("set_rights") is not False,
        share=share_form.of_request(data),
        rows=export_form.rows_of_request(data.get("nfs")),
    )


def _show(
    request: HttpRequest,
    inventory: Inventory | None,
    form: FolderForm,
    findings: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    where = {"dataset": "leaf" if form.where == "new" else "dataset", "nfs": "host-0", "create": "leaf"}
    rows = export_form.fields_of(form.rows, "clients") | export_form.fields_of(form.rows, "nfs")
    context = rows_context(form.rows) | {
        "folder": form,
        "form": form.share,
        "places": to_share(inventory) if inventory else (),
        "parents": to_make_in(inventory) if inventory else (),
        "purposes": PURPOSES,
        "guests": GUESTS,
        "units": ("G", "T"),
        "who_rows": who_rows(form.share.who, inventory.accounts) if inventory else None,
        "by_nfs": any(row.host for row in form.rows) or len(form.rows) > 1,
        "errors": beside(findings, share_form.FIELDS | rows | where) if findings else Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
    }
    rows_only = is_htmx(request) and export_form.asks_for_rows(request.POST)
    template = "shares/_nfs_clients.html" if rows_only else "shares/share_folder.html"
    return render(request, template, context, status=422 if findings else 200)
