"""Who may read and write in a folder of a share: an editor that tells what each person may do, and why."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.plans.page import propose
from frontend.rights.view import chosen, editor_rows, run_view
from host.inventory import Accounts, Dataset
from jobs import cache
from jobs.plan import Finding
from shares.rights.reach import shut, unchangeable
from shares.rights.see import without_names
from shares.rights.set_rights import QUESTION
from shares.rights.table import RightsAnswer, rights_answer

_FIELDS = {"everyone": "everyone", "apply_to_existing": "apply"}


@page("shares:read")
def rights(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The editor; a POST asks for the plan of what is chosen."""
    inventory = cache.current()
    found = inventory.dataset(dataset) if inventory else None
    if inventory is None or found is None:
        return missing(request, f"There is no dataset {dataset}")
    if request.method != "POST":
        return _show(request, found, inventory.accounts)
    data = {"dataset": dataset, "folder": request.GET.get("folder", ""), **chosen(request.POST)}

    def refused(findings: tuple[Finding, ...]) -> HttpResponseBase:
        return _show(request, found, inventory.accounts, findings)

    return propose(request, "rights.set", data, refused=refused)


@page("shares:read")
@require_POST
def stop(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The plan to end what goes on in the background."""
    return propose(request, "rights.stop", {"dataset": dataset, "folder": request.GET.get("folder", "")})


def _show(
    request: HttpRequest, found: Dataset, accounts: Accounts, findings: tuple[Finding, ...] = ()
) -> HttpResponse:
    folder = request.GET.get("folder", "")
    report = _report(request, found, folder)
    answer = None
    if report.answer is not None:
        seen = report.answer if request.user.has_perm("files:read") else without_names(report.answer)
        answer = rights_answer(found.name, folder, seen, accounts)
    context: dict[str, Any] = {
        "dataset": found,
        "folder": folder,
        "report": report,
        "here": request.get_full_path(),
        "rights": answer,
        "rows": editor_rows(answer, request.POST) if answer else (),
        "everyone": request.POST.get("everyone") or (answer.everyone if answer else "none"),
        "apply": request.POST.get("apply") == "yes",
        "run": run_view(answer.run) if answer and answer.run else None,
        "of": request.GET.get("of", ""),
        "why": _why(answer, request.GET.get("of", "")),
        "unchangeable": unchangeable(found),
        "errors": beside(findings, _FIELDS) if findings else Errors(),
        "why_shut": why_shut(request.user, "shares:write"),
    }
    return render(request, _template(request), context, status=422 if findings else 200)


def _template(request: HttpRequest) -> str:
    """The whole page, or the part that a poll or the choice of a person asks for."""
    part = request.GET.get("part")
    if not is_htmx(request) or part not in {"run", "why"}:
        return "rights/rights.html"
    return f"rights/rights.html#{part}"


def _report(request: HttpRequest, found: Dataset, folder: str) -> asking.AnswerView:
    if why := shut(found):
        return asking.AnswerView(findings=(why,))
    return asking.ask(request, QUESTION, {"dataset": found.name, "folder": folder})


def _why(answer: RightsAnswer | None, name: str) -> str:
    if answer is None or not name:
        return ""
    every = (*answer.people, *answer.groups)
    return next((one.effective.why for one in every if one.name == name), "Unknown name.")
