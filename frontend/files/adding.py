"""What is added to a folder from its page: new folders here, files by a script that talks to the API."""

from __future__ import annotations

from urllib.parse import urlencode

import msgspec
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from frontend.access import page
from frontend.files.view import address, crumbs
from frontend.missing import missing
from host.files.names import plain, shown
from host.files.receiving import CHUNK_BYTES
from jobs import cache, questions
from jobs.plan import Finding, Refused
from jobs.planning.findings import fault
from jobs.rights import Forbidden
from pools.files import uploads, writers
from pools.files.uploads import NewFolder
from pools.models import Upload


class UnfinishedView(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was not sent to its end."""

    key: str
    name: str
    size_bytes: int


class AddingView(msgspec.Struct, frozen=True, kw_only=True):
    """Whether somebody can add something to a folder; where not, why, and the page that helps."""

    shut: Finding | None
    helps: str
    replaces: bool
    unfinished: tuple[UnfinishedView, ...]
    chunk_bytes: int = CHUNK_BYTES


def adding_to(request: HttpRequest, dataset: str, folder: str) -> AddingView | None:
    """None for those whose role writes no files."""
    user = request.user
    inventory = cache.current()
    if inventory is None or not user.has_perm("files:write"):
        return None
    account = user.get_username()
    shut = writers.why_not(inventory, dataset, account)
    helps = ""
    if shut and shut.code == writers.NO_PERSON:
        helps = f"{reverse('person-form')}?{urlencode({'name': account})}"
    rows = Upload.objects.filter(account=account, dataset=dataset, folder=folder)
    return AddingView(
        shut=shut,
        helps=helps,
        replaces=user.has_perm("destroy"),
        unfinished=tuple(
            UnfinishedView(key=row.key, name=row.name, size_bytes=row.size_bytes) for row in rows
        ),
    )


@page("files:write")
@require_POST
def new_folder(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """Make a folder; where that cannot be, the form with the reason."""
    inventory = cache.current()
    if inventory is None or inventory.dataset(dataset) is None:
        return missing(request, f"There is no dataset {dataset}")
    folder, typed = request.POST.get("folder", ""), request.POST.get("name", "").strip()
    findings: tuple[Finding, ...]
    try:
        name = shown(typed.encode())[:765]
        path = uploads.make_folder(NewFolder(dataset=dataset, folder=folder, name=name), request.user)
    except UnicodeEncodeError:
        findings = (fault("bad-name", "name", "This holds half of a character."),)
    except Refused as refused:
        findings = refused.findings
    except questions.NobodyAnswers as error:
        findings = (fault("queue-down", "", str(error)),)
    except Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None
    else:
        trouble = "".join(f" {warning.message}" for warning in uploads.warnings(name))
        say = messages.warning if trouble else messages.success
        say(request, f"Folder “{plain(path.rpartition('/')[2])}” created.{trouble}")
        return redirect(address("files", dataset, path=folder))
    context = {
        "dataset": inventory.dataset(dataset),
        "path": folder,
        "crumbs": crumbs(dataset, "", folder),
        "typed": typed,
        "said": findings[0].message,
    }
    return render(request, "files/folder_form.html", context, status=422)


@page("files:write")
@require_POST
def cancel_upload(request: HttpRequest, dataset: str) -> HttpResponseBase:
    """Remove what has arrived of a file."""
    key, account = request.POST.get("upload", ""), request.user.get_username()
    upload = Upload.objects.filter(key=key, account=account, dataset=dataset).first()
    if upload is None:
        return missing(request, "There is no such upload")
    try:
        uploads.cancel(upload, request.user)
    except (Refused, questions.NobodyAnswers) as error:
        messages.error(request, f"The upload was not cancelled: {error}")
    except Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None
    else:
        messages.success(request, f"Upload of “{plain(upload.name)}” cancelled.")
    return redirect(address("files", dataset, path=upload.folder))
