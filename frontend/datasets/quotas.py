"""Quotas and reservations of a dataset, and who takes how much of it."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from frontend.access import is_htmx, page, why_shut
from frontend.asking import AnswerView, ask
from frontend.datasets.quotas_view import account_words, objects_words, quotas_view
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.typed_size import UNITS, whole_typed
from host.inventory import Dataset
from jobs import cache
from jobs.plan import Finding
from pools.keys.roots import is_locked
from pools.quotas.limits import LIMITS

_FIELDS = {f"limits_bytes.{name}": name for name in LIMITS} | {
    "accounts[0].account": "account", "accounts[0].limit": "limit", "accounts[0]": "account",
    "accounts": "account", "limits_bytes": "quota",
}  # fmt: skip
_NO_NUMBER = -1  # refused with the words of the field


@page("pools:read")
def quotas(request: HttpRequest, name: str) -> HttpResponseBase:
    """The page; a POST asks for the plan of what was changed."""
    inventory = cache.current()
    found = inventory.dataset(name) if inventory else None
    if found is None:
        return missing(request, f"There is no dataset {name}")
    if request.method != "POST":
        return _show(request, found)
    data = _account(request) if request.POST.get("do") == "account" else _limits(request, found)

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, found, findings)

    return propose(request, "dataset.quota", {"name": name} | data, refused=refused)


def _limits(request: HttpRequest, found: Dataset) -> dict[str, Any]:
    """Only what differs from what is set."""
    changed: dict[str, int | None] = {}
    for name in LIMITS:
        if name not in request.POST:
            continue
        size = _size(request.POST.get(name, ""), request.POST.get(f"{name}-unit", "G"))
        if size != (found.number(name) or None):
            changed[name] = size
    return {"limits_bytes": changed}


def _account(request: HttpRequest) -> dict[str, Any]:
    counts = "objects" if request.POST.get("limit-unit") == "objects" else "bytes"
    text = request.POST.get("limit", "").strip()
    whole = number if isinstance(number := whole_typed(text), int) else _NO_NUMBER
    limit = whole if counts == "objects" and text else _size(text, request.POST.get("limit-unit", "G"))
    return {
        "accounts": [
            {
                "whose": request.POST.get("whose", "user"),
                "account": request.POST.get("account", "").strip(),
                "counts": counts,
                "limit": limit,
            }
        ]
    }


def _size(text: str, unit: str) -> int | None:
    """Bytes; None for nothing typed."""
    text = text.strip().replace(",", ".")
    if text in {"", "none"}:
        return None
    try:
        return int(float(text) * UNITS.get(unit, 1 << 30))
    except (ValueError, OverflowError):
        return _NO_NUMBER


def _show(request: HttpRequest, found: Dataset, findings: tuple[Finding, ...] = ()) -> HttpResponseBase:
    countable = found.kind == "filesystem" and not is_locked(found)
    report = ask(request, "dataset.quota-use", {"name": found.name}) if countable else AnswerView()
    accounts = report.answer.accounts if report.answer else ()
    context = {
        "dataset": found,
        "quotas": quotas_view(found),
        "accounts": [(one, account_words(one), objects_words(one)) for one in accounts],
        "more": report.answer.more if report.answer else 0,
        "report": report,
        "countable": countable,
        "units": tuple(UNITS),
        "sent": request.POST,
        "errors": beside(findings, _FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "pools:write"),
    }
    template = "datasets/dataset_quotas.html#accounts" if is_htmx(request) else "datasets/dataset_quotas.html"
    return render(request, template, context, status=422 if findings else 200)
