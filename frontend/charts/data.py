"""The points of a chart: for the script that draws it, as a table, and as CSV."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render

from frontend.access import page
from frontend.charts.asked import Asked, Wrong, asked_of, span_of
from frontend.charts.columns import Columns, columns_of
from frontend.charts.marks import marks_between
from frontend.charts.writing import written

_DRAWN, _LISTED, _EXPORTED = 1200, 200, 20_000


@page("system:read")
def points(request: HttpRequest) -> HttpResponseBase:
    """As `Columns`, for the script."""
    try:
        found = columns_of(asked_of(request), most=_DRAWN)
    except Wrong as wrong:
        return _refused(wrong)
    return JsonResponse(msgspec.to_builtins(found))


@page("system:read")
def marks(request: HttpRequest) -> HttpResponseBase:
    """What happened meanwhile: `[{time, label, href}]`."""
    try:
        since, until = span_of(request)
    except Wrong as wrong:
        return _refused(wrong)
    found = marks_between(request.user, since, until)
    return JsonResponse({"marks": msgspec.to_builtins(found)})


@page("system:read")
def table(request: HttpRequest) -> HttpResponseBase:
    """The same as a table, coarser; with `format=csv` as a file, as fine as it is kept."""
    try:
        asked = asked_of(request)
    except Wrong as wrong:
        return render(request, "charts/wrong.html", {"wrong": wrong}, status=422)
    if request.GET.get("format") == "csv":
        return _file(asked, columns_of(asked, most=_EXPORTED))
    found = columns_of(asked, most=_LISTED)
    rows = [
        (datetime.fromtimestamp(time, UTC), [written(value, asked.kind.unit) for value in values])
        for time, *values in zip(found.times, *found.values, strict=True)
    ]
    context = {
        "kind": asked.kind,
        "subject": asked.subject,
        "labels": _labels(asked, found),
        "rows": rows[::-1],
        "query": request.GET.urlencode(),
    }
    return render(request, "charts/table.html", context)


def _file(asked: Asked, found: Columns) -> HttpResponse:
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(["time", *_labels(asked, found)])
    for time, *values in zip(found.times, *found.values, strict=True):
        moment = datetime.fromtimestamp(time, UTC).isoformat().replace("+00:00", "Z")
        rows.writerow([moment, *("" if value is None else f"{value:.6g}" for value in values)])
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{asked.kind.key}.csv"'
    return answer


def _labels(asked: Asked, found: Columns) -> list[str]:
    if not asked.beside:
        return list(found.labels)
    names = (asked.subject, asked.beside)
    return [f"{label}, {names[which]}" for label, which in zip(found.labels, found.subjects, strict=True)]


def _refused(wrong: Wrong) -> JsonResponse:
    return JsonResponse({"field": wrong.field, "message": wrong.message}, status=422)
