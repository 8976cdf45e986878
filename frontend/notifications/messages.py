"""Messages of a channel: what templates make of an alert, and regular ones that are sent at once."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from alerts.channels import stored
from alerts.channels.models import Channel
from alerts.channels.preview import MessagePreviewAnswer, PreviewMessage, previewed
from alerts.digest import queueing
from alerts.digest.queueing import SendMessage
from frontend.access import page, why_shut
from frontend.findings import Errors, beside
from frontend.missing import missing
from jobs.plan import Refused
from jobs.planning.shape import decode
from jobs.rights import ADMIN

_FIELDS = {name: name for name in ("title_template", "text_template", "time_zone")}


@sensitive_post_parameters()
@page("alerts:read")
@require_POST
def live_preview(request: HttpRequest) -> HttpResponseBase:
    """What is typed, as a message about a sample alert."""
    shown, errors = of_templates({name: request.POST.get(name, "").strip()[:4001] for name in _FIELDS})
    found = [message for messages in errors.by_field.values() for message in messages]
    context = {"preview": shown, "problems": (*found, *errors.others)}
    return render(request, "notifications/channel_form.html#preview", context)


@page("alerts:read")
@require_POST
def send(request: HttpRequest, channel_id: int) -> HttpResponseBase:
    """Have the worker send a regular message; the channel's page shows what becomes of it."""
    refuse_readers(request)
    row = row_of(channel_id)
    if row is None:
        return missing(request, "Channel not found")
    try:
        asked = decode(SendMessage, {"about": request.POST.get("about", "")})
        queueing.send_now(row, asked.about, request.user.get_username())
    except Refused:
        return missing(request, "There is no such message")
    except stored.Gone:
        return missing(request, "Channel not found")
    return redirect("notification", row.pk)


def of_templates(sent: Mapping[str, str]) -> tuple[MessagePreviewAnswer | None, Errors]:
    """The message about a sample alert, or what is wrong with the templates."""
    data = {name: sent.get(name, "").replace("\r\n", "\n") for name in _FIELDS}
    try:
        return previewed(decode(PreviewMessage, data | {"time_zone": data["time_zone"] or "UTC"})), Errors()
    except Refused as refused:
        return None, beside(refused.findings, _FIELDS)


def row_of(channel_id: int) -> Channel | None:
    """The channel of that number."""
    return Channel.objects.filter(pk=channel_id).first() if channel_id < 1 << 63 else None


def is_admin(request: HttpRequest) -> bool:
    """Whether the user may let messages go to this machine itself."""
    return request.user.has_perm(ADMIN)


def shut_for(request: HttpRequest) -> str | None:
    """Why the user can change nothing here."""
    return why_shut(request.user, "alerts:write")


def refuse_readers(request: HttpRequest) -> None:
    """Raises `PermissionDenied` for who may only read."""
    if shut_for(request):
        raise PermissionDenied("Your role does not allow alerts:write.")
