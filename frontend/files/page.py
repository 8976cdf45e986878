"""The time machine: files of a dataset in any snapshot, their versions, downloads and restores."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import is_htmx, page, why_shut
from frontend.files import view as files_view
from frontend.files.adding import adding_to
from frontend.files.view import address
from frontend.missing import missing
from frontend.plans.difference import diff_lines
from frontend.plans.page import propose
from host.inventory import Dataset
from jobs import cache, questions
from jobs.audit import record
from jobs.models import IndexedSnapshot
from jobs.plan import Finding, Refused
from pools.api.downloads import attachment
from pools.files.download import TooMany, Wish, opened
from pools.files.reach import dataset_fault

_PER_PAGE = 100
_BRIEFLY_S = 0.1


@page("files:read")
def folder(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """A folder, in a snapshot or as it is now."""
    if (found := _found(dataset)) is None:
        return missing(request, f"There is no dataset {dataset}")
    tag, path = request.GET.get("snapshot", ""), request.GET.get("path", "")
    around = files_view.moments("files", dataset, tag, path)
    if around is None:
        return missing(request, f"There is no snapshot {dataset}@{tag}")
    contains = request.GET.get("contains", "")
    data = {
        "dataset": dataset,
        "snapshot": tag or None,
        "path": path,
        "after": request.GET.get("after") or None,
        "limit": _PER_PAGE,
        "contains": contains,
    }
    restores = _restores(request, found, timeout_s=0.0)  # the worker reads both at the same time
    report = _report(request, found, "files.list", data)
    if restores.waiting:
        restores = _restores(request, found, timeout_s=_BRIEFLY_S)
    following = report.answer.following if report.answer else None
    context = {
        **_common(request, found, tag, path),
        "moments": around,
        "contains": contains,
        "after": data["after"],
        "report": report,
        "next": following
        and address("files", dataset, snapshot=tag, path=path, contains=contains, after=following),
        "restores": restores,
        "adding": None if tag else adding_to(request, dataset, path),
    }
    return _answer(request, "files/files.html", context)


@page("files:read")
def versions(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """All versions of one file or folder, with what can be done with each."""
    if (found := _found(dataset)) is None:
        return missing(request, f"There is no dataset {dataset}")
    path, after = request.GET.get("path", ""), request.GET.get("after") or None
    report = _report(
        request, found, "files.versions", {"dataset": dataset, "path": path, "after": after, "limit": 100}
    )
    results = report.answer.results if report.answer else ()
    rows = (
        [
            (version, files_view.seen_words(version), files_view.change_words(version), older)
            for version, older in zip(results, [*results[1:], None], strict=True)
        ]
        if results
        else []
    )
    following = report.answer.following if report.answer else None
    context = {
        **_common(request, found, request.GET.get("snapshot", ""), path),
        "report": report,
        "rows": rows,
        "name": path.rpartition("/")[2],
        "next": following and address("file-versions", dataset, path=path, after=following),
    }
    return _answer(request, "files/file_versions.html", context)


@page("files:read")
def difference(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """How a text differs between two moments."""
    if (found := _found(dataset)) is None:
        return missing(request, f"There is no dataset {dataset}")
    path = request.GET.get("path", "")
    before, then = request.GET.get("before", ""), request.GET.get("then", "")
    data = {"dataset": dataset, "path": path, "before": before or None, "then": then or None}
    report = _report(request, found, "files.compare", data)
    if report.answer:
        record(request.user.get_username(), "files.compare", f"{dataset}: {path}")
    context = {
        **_common(request, found, "", path),
        "report": report,
        "before": before,
        "then": then,
        "lines": diff_lines(report.answer.lines) if report.answer else (),
    }
    return _answer(request, "files/file_difference.html", context)


@page("files:read")
def download(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The content of a file, or a folder as an archive."""
    if (found := _found(dataset)) is None:
        return missing(request, f"There is no dataset {dataset}")
    tag, path = request.GET.get("snapshot", ""), request.GET.get("path", "")
    if tag and not IndexedSnapshot.objects.filter(dataset__name=dataset, tag=tag).exists():
        return missing(request, f"There is no snapshot {dataset}@{tag}")
    wish = Wish(dataset, tag or None, path, request.GET.get("archive") == "yes")
    try:
        if shut := dataset_fault(found):
            raise Refused((shut,))
        given = opened(wish, request.user)
    except Refused as refused:
        return _not_downloaded(request, found, tag, path, refused.findings)
    except (TooMany, questions.NobodyAnswers) as error:
        finding = Finding(level="error", code="busy", field="", message=str(error))
        return _not_downloaded(request, found, tag, path, (finding,))
    headers = request.headers
    return attachment(given, asked_range=headers.get("Range"), if_range=headers.get("If-Range"))


@page("files:read")
@require_POST
def restore(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The plan to bring a version back."""
    if _found(dataset) is None:
        return missing(request, f"There is no dataset {dataset}")
    data: dict[str, Any] = {
        "snapshot": f"{dataset}@{request.POST.get('snapshot', '')}",
        "path": request.POST.get("path", ""),
        "mode": request.POST.get("mode", "beside"),
    }
    for field in ("folder", "name"):
        if (value := request.POST.get(field)) and data["mode"] == "beside":
            data[field] = value
    return propose(request, "snapshot.restore", data)


@page("files:read")
@require_POST
def stop_restore(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """The plan to end a restore that goes on."""
    data = {"dataset": dataset, "restore": request.POST.get("restore", "")}
    return propose(request, "snapshot.stop-restore", data)


def _report(
    request: HttpRequest, found: Dataset, name: str, data: dict[str, Any], *, timeout_s: float | None = None
) -> asking.AnswerView:
    """The worker's answer, or why there can be none."""
    if shut := dataset_fault(found):
        return asking.AnswerView(findings=(shut,))
    if timeout_s is None:
        return asking.ask(request, name, data)
    return asking.ask(request, name, data, timeout_s=timeout_s)


def _restores(request: HttpRequest, found: Dataset, *, timeout_s: float) -> asking.AnswerView:
    return _report(request, found, "files.restores", {"dataset": found.name}, timeout_s=timeout_s)


def _common(request: HttpRequest, found: Dataset, tag: str, path: str) -> dict[str, Any]:
    return {
        "dataset": found,
        "snapshot": tag,
        "path": path,
        "crumbs": files_view.crumbs(found.name, tag, path),
        "here": request.get_full_path(),
        "why_shut": why_shut(request.user, "files:write"),
        "why_no_destroying": why_shut(request.user, "files:write", "destroy"),
    }


def _answer(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    return render(request, f"{template}#report" if is_htmx(request) else template, context)


def _not_downloaded(
    request: HttpRequest, found: Dataset, tag: str, path: str, findings: tuple[Finding, ...]
) -> HttpResponse:
    context = {**_common(request, found, tag, path), "report": asking.AnswerView(findings=findings)}
    return render(request, "files/file_refused.html", context, status=422)


def _found(name: str) -> Dataset | None:
    inventory = cache.current()
    return inventory.dataset(name) if inventory else None
