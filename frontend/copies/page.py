"""Settings: copies of all settings on the pools, and restoring from one."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from frontend import asking
from frontend.access import page, part, unchanged, why_shut
from frontend.copies import view as copies_view
from frontend.missing import missing
from frontend.plans import at_once
from frontend.plans.page import propose
from host.backup.store import read_name
from jobs import cache, questions
from jobs.audit import record
from jobs.plan import Refused
from jobs.rights import ADMIN
from machine.api.copies import attachment
from machine.backup import uploads
from machine.backup.create import COPIES
from machine.backup.create import OPERATION as KEEP
from machine.backup.report import copies_answer, copy_settings
from machine.backup.restore import OPERATION as RESTORE

_ADMINS = "Only an admin can do this: backups may hold passwords."


@page("system:read")
def copies(request: HttpRequest) -> HttpResponseBase:
    """How each pool stands; a POST asks for a copy now, a restore, or other settings."""
    if request.method == "POST":
        return _asked(request)
    inventory = cache.current()
    seen = asking.ask(request, COPIES, {})
    answer = copies_answer(seen.answer.results, inventory) if seen.answer and inventory else None
    mark = copies_view.mark(answer) if answer else ""
    if mark and (same := unchanged(request, mark)):
        return same
    context = {
        "report": seen,
        "answer": answer,
        "mark": mark,
        "settings": copy_settings(),
        "pools": copies_view.pools(answer) if answer else (),
        "here": request.get_full_path(),
        "why_shut": why_shut(request.user, "system:write"),
        "why_no_admin": None if request.user.has_perm(ADMIN) else _ADMINS,
    }
    return render(request, part(request, "copies/copies.html"), context)


@page(ADMIN)
def download(request: HttpRequest, pool: str, copy: str) -> HttpResponseBase:
    """One copy as a file."""
    if read_name(copy) is None:
        return missing(request, "Backup not found")
    try:
        return attachment(pool, copy, request.user)
    except (Refused, questions.NobodyAnswers) as error:
        messages.error(request, str(error))
        return redirect("copies")


@page(ADMIN)
@require_POST
def send(request: HttpRequest) -> HttpResponseBase:
    """Take a copy in that somebody chose on their computer, and show the plan that restores it."""
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, "Choose a backup file.")
        return redirect("copies")
    try:
        name = uploads.take_in(file.chunks())
    except (uploads.BadCopy, uploads.TooLarge) as error:
        messages.error(request, str(error))
        return redirect("copies")
    record(request.user.get_username(), "configuration.upload", name)
    return propose(request, RESTORE, {"upload": name, "name": request.POST.get("name") == "yes"})


def _asked(request: HttpRequest) -> HttpResponseBase:
    match request.POST.get("do", ""):
        case "keep":
            outcome = at_once.carry_out(request, KEEP, {})
            at_once.show_outcome(request, outcome, "Settings backed up.")
            return redirect("copies")
        case "restore":
            data = {
                "pool": request.POST.get("pool", ""),
                "copy": request.POST.get("copy") or None,
                "name": request.POST.get("name") == "yes",
            }
            return propose(request, RESTORE, data)
        case "set":
            wanted = {name: request.POST.get(name) == "yes" for name in ("enabled", "secrets")}
            now = copy_settings()
            data = {name: value for name, value in wanted.items() if value != getattr(now, name)}
            if not data:
                messages.info(request, "Nothing was changed in the form.")
                return redirect("copies")
            return propose(request, "configuration.set-copies", data)
    raise PermissionDenied("Unknown action.")
