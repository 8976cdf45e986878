"""Locks: unlock, lock, try and change the keys of encrypted datasets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables

from frontend.access import page, why_shut
from frontend.datasets import encryption_form
from frontend.datasets import page as datasets
from frontend.datasets.keys_view import key_view, locked_views
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.at_once import Outcome, carry_out, show_outcome
from frontend.plans.page import propose
from host.inventory import Dataset, Inventory
from jobs import cache
from jobs.plan import Finding
from pools.links import dataset_href

_TIMEOUT_S = 12.0  # a passphrase is made slow to try
_FIELDS = {"passphrase": "passphrase", "key": "key", "names": "names", "inherit": "inherit"}


@sensitive_post_parameters()
@page("pools:read")
def keys(request: HttpRequest, name: str) -> HttpResponseBase:
    """The lock of one dataset; a POST unlocks or tries at once, and shows a plan for anything else."""
    inventory = cache.current()
    found = inventory.dataset(name) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no dataset {name}")
    if request.method != "POST":
        return _show(request, inventory, found)
    do = request.POST.get("do", "")
    if do in {"unlock", "try"}:
        return _at_once(request, inventory, found, do)
    if do == "lock":
        data = {"name": name, "recursive": request.POST.get("recursive") == "yes"}
        return propose(request, "dataset.unload-key", data)
    if do in {"change", "share"}:
        return _change(request, inventory, found, share=do == "share")
    raise SuspiciousOperation("Unknown action.")


@sensitive_post_parameters()
@page("pools:read")
def locked(request: HttpRequest) -> HttpResponseBase:
    """All that is locked, to be opened together where one passphrase opens several."""
    inventory = cache.current()
    if inventory and inventory.dataset("locked"):  # a pool may be called so
        return datasets.dataset(request, "locked")
    if request.method != "POST":
        return _list(request, inventory)
    names = request.POST.getlist("names")
    outcome = carry_out(request, "dataset.load-key", {"names": names} | _typed(request), timeout_s=_TIMEOUT_S)
    if outcome.problem:
        return _list(request, inventory, chosen=names, outcome=outcome)
    show_outcome(request, outcome, "They are unlocked." if len(names) > 1 else f"{names[0]} is unlocked.")
    left = len(locked_views(inventory)) - len(names) if inventory else 0
    return redirect("datasets-locked" if left > 0 else "datasets")


@sensitive_variables()
def _at_once(request: HttpRequest, inventory: Inventory, found: Dataset, do: str) -> HttpResponseBase:
    if do == "try":
        outcome = carry_out(
            request, "dataset.test-key", {"name": found.name} | _typed(request), timeout_s=_TIMEOUT_S
        )
        done = "It is the right one. Nothing was changed."
    else:
        more = {"names": [found.name], "recursive": request.POST.get("recursive") == "yes"}
        outcome = carry_out(request, "dataset.load-key", more | _typed(request), timeout_s=_TIMEOUT_S)
        done = f"{found.name} is unlocked."
    if outcome.problem:
        return _show(request, inventory, found, did=do, findings=_said(outcome))
    show_outcome(request, outcome, done)
    return redirect(f"{dataset_href(found.name)}#keys")


@sensitive_variables()
def _change(request: HttpRequest, inventory: Inventory, found: Dataset, *, share: bool) -> HttpResponseBase:
    chosen = encryption_form.chosen(_texts(request))
    data = {"name": found.name} | ({"inherit": True} if share else chosen.fields)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, inventory, found, did="share" if share else "change", findings=findings)

    faults = () if share else chosen.faults
    return propose(request, "dataset.change-key", data, refused=refused, faults=faults)


def _typed(request: HttpRequest) -> dict[str, Any]:
    """What was typed to open something, as the field that it belongs to."""
    texts = {"passphrase": request.POST.get("passphrase", ""), "key": request.POST.get("key", "").strip()}
    return {name: text for name, text in texts.items() if text}


def _texts(request: HttpRequest) -> Mapping[str, str]:
    return {key: value for key, value in request.POST.items() if isinstance(value, str)}


def _said(outcome: Outcome) -> tuple[Finding, ...]:
    """What stands in the way; what the machine said goes beside the field."""
    if outcome.findings:
        return outcome.findings
    return (Finding(level="error", code="failed", field="passphrase", message=outcome.problem),)


def _show(
    request: HttpRequest,
    inventory: Inventory,
    found: Dataset,
    *,
    did: str = "",
    findings: tuple[Finding, ...] = (),
) -> HttpResponseBase:
    view = key_view(found, inventory)
    fields = encryption_form.FIELDS | {"inherit": "share", "names": "passphrase"}
    if did in {"unlock", "try"}:
        fields = {"passphrase": view.asks, "key": view.asks, "names": view.asks}
    context = {
        "dataset": found,
        "keys": view,
        "did": did,
        "lock": request.POST.get("lock", "passphrase"),
        "errors": beside(findings, fields) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
        "whole": True,
    }
    return render(request, "datasets/dataset_keys.html", context, status=422 if findings else 200)


def _list(
    request: HttpRequest,
    inventory: Inventory | None,
    *,
    chosen: list[str] | None = None,
    outcome: Outcome | None = None,
) -> HttpResponseBase:
    found = locked_views(inventory) if inventory else ()
    findings = _said(outcome) if outcome else ()
    context = {
        "rows": found,
        "chosen": [row.name for row in found] if chosen is None else chosen,
        "asks": {row.asks for row in found},
        "errors": beside(findings, _FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    return render(request, "datasets/datasets_locked.html", context, status=422 if findings else 200)
