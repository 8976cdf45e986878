"""A toast that follows its job, and the click that takes back what was done."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.missing import missing
from frontend.plans import at_once, toasts
from jobs import withheld
from jobs.models import Job
from jobs.operation import title_of


@page("jobs:read")
def toast(request: HttpRequest, job_id: int) -> HttpResponseBase:
    """How the job of a toast stands now."""
    job = get_object_or_404(Job, pk=job_id)
    context = {
        "toast": toasts.toast_of(request, job, toasts.said(request, job)),
        "back": _page_around(request) or reverse("job", args=(job.pk,)),
    }
    return render(request, "plans/_toast.html", context)


def _page_around(request: HttpRequest) -> str:
    """The address, without the host, of the page that polls; empty where that is unknown or another site."""
    try:
        url = urlsplit(request.headers.get("HX-Current-URL", ""))
    except ValueError:
        return ""
    if url.netloc != request.get_host():
        return ""
    return urlunsplit(("", "", url.path, url.query, ""))


@page("jobs:read")
@require_POST
def undo(request: HttpRequest) -> HttpResponseBase:
    """Take back what the job `job` did. Whatever that would lose or disturb is refused here."""
    number = request.POST.get("job", "")
    job = get_object_or_404(
        Job, pk=number if number.isascii() and number.isdecimal() and len(number) < 18 else 0
    )
    if (asked := toasts.undo_of(job)) is None:
        return missing(request, f"Job {job.pk} cannot be undone")
    if withheld.names_files(job.operation, request.user):
        raise PermissionDenied("Your role does not allow files:read.")
    outcome = at_once.carry_out(request, asked.operation, asked.data)
    at_once.show_outcome(request, outcome, f"Undone: {title_of(job.operation, job.request)}.")
    return at_once.back_to(request, "/jobs/")
