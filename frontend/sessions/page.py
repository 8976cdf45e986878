"""Who is connected to the shares, and the button that disconnects one."""

from __future__ import annotations

import msgspec
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from frontend import asking
from frontend.access import is_htmx, page, part, unchanged, why_shut
from frontend.plans.page import propose
from frontend.sessions.view import mark_of, session_rows
from shares.sessions.end import QUESTION
from shares.sessions.see import without_names


@page("shares:read")
def sessions(request: HttpRequest) -> HttpResponseBase:
    """The list, which asks the machine again every few seconds while somebody looks; a POST disconnects."""
    if request.method == "POST":
        return propose(request, "session.end", {"session": request.POST.get("session", "")})
    wanted = request.GET.get("q", "").strip()[:200]
    report = asking.ask(request, QUESTION, {})
    if report.answer and not request.user.has_perm("files:read"):
        report = msgspec.structs.replace(report, answer=without_names(report.answer))
    mark = mark_of(report.answer) if report.answer else ""
    if report.waiting and is_htmx(request) and request.GET.get("seen"):
        return HttpResponse(status=204)  # what is shown stays until there is something newer
    if mark and (answer := unchanged(request, mark)):
        return answer
    context = {
        "report": report,
        "mark": mark,
        "q_sessions": wanted,
        "rows": session_rows(report.answer, wanted) if report.answer else (),
        "count": len(report.answer.results) if report.answer else 0,
        "more": report.answer.more if report.answer else 0,
        "here": request.get_full_path(),
        "why_shut": why_shut(request.user, "shares:write"),
        "why_no_destroying": why_shut(request.user, "shares:write", "destroy"),
    }
    return render(request, part(request, "sessions/sessions.html"), context)
