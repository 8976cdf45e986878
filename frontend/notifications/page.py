"""Notifications: the channels through which people are told of incidents."""

from __future__ import annotations

from typing import Any

import msgspec
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from alerts.channels import locked, stored
from alerts.channels.decide import TOPICS
from alerts.channels.kinds import Kind
from alerts.channels.models import Channel
from alerts.channels.requests import ChangeChannel, CreateChannel
from alerts.channels.templates import PLACEHOLDERS
from frontend.access import page, part, unchanged
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.notifications import form as channel_form
from frontend.notifications import view as channel_view
from frontend.notifications.form import ChannelForm
from frontend.notifications.messages import is_admin, of_templates, refuse_readers, row_of, shut_for
from frontend.notifications.ping import ping_view
from jobs.plan import Refused
from jobs.planning.shape import decode
from jobs.rights import Forbidden
from jobs.schedules.cron import zones

_MOST_SHOWN = 20
_NONE = "Channel not found"


@page("alerts:read")
def notifications(request: HttpRequest) -> HttpResponseBase:
    """All channels with their state, and the kinds that can be added."""
    channels = list(Channel.objects.all())
    ping = ping_view()
    mark = f"{channel_view.mark(channels)}.{ping.mark}"
    if answer := unchanged(request, mark):
        return answer
    context = {
        "mark": mark,
        "rows": channel_view.rows(channels),
        "choices": channel_view.choices(),
        "ping": ping,
        "why_shut": shut_for(request),
    }
    return render(request, part(request, "notifications/notifications.html"), context)


@sensitive_post_parameters()
@page("alerts:read")
def add(request: HttpRequest, kind: str) -> HttpResponseBase:
    """The form for a channel of that kind; a POST makes it."""
    found = channel_form.kind_of(kind)
    if found is None:
        return missing(request, f"There is no kind {kind}")
    if request.method != "POST":
        return _form(request, found, channel_form.empty(found))
    if request.POST.get("do") == "preview":
        return _previewed(request, found, None)
    refuse_readers(request)
    try:
        data = channel_form.to_create(request.POST, found)
        asked = stored.wanted(decode(CreateChannel, data), request.user)
        row = stored.create(asked, request.user.get_username())
    except Refused as refused:
        return _refused(request, found, None, refused)
    except Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None
    messages.success(request, f"{row.name} was added. Send a test to check that messages arrive.")
    return redirect("notifications")


@sensitive_post_parameters()
@page("alerts:read")
def channel(request: HttpRequest, channel_id: int) -> HttpResponseBase:
    """One channel and its last messages; a POST changes it."""
    row = row_of(channel_id)
    found = channel_form.kind_of(row.kind) if row else None
    if row is None or found is None:
        return missing(request, _NONE)
    if request.method != "POST":
        return _form(request, found, channel_form.of_row(row), row=row)
    if request.POST.get("do") == "preview":
        return _previewed(request, found, row)
    refuse_readers(request)
    try:
        data = channel_form.to_change(request.POST, found)
        if not is_admin(request):  # the box cannot be ticked, and so is not sent
            del data["to_itself"]
        asked = stored.wanted_change(decode(ChangeChannel, data), row, request.user)
        stored.change(row, asked, request.user.get_username())
    except Refused as refused:
        return _refused(request, found, row, refused)
    except Forbidden as forbidden:
        raise PermissionDenied(str(forbidden)) from None
    except stored.Gone:
        return missing(request, _NONE)
    messages.success(request, f"{asked.name} was changed.")
    return redirect("notifications")


@page("alerts:read")
@require_POST
def test(request: HttpRequest, channel_id: int) -> HttpResponseBase:
    """Have the worker send a test; the list shows what becomes of it."""
    refuse_readers(request)
    row = row_of(channel_id)
    if row is None:
        return missing(request, _NONE)
    try:
        stored.try_out(row, request.user.get_username())
    except stored.Gone:
        return missing(request, _NONE)
    return redirect("notifications")


@page("alerts:read")
@require_POST
def delete(request: HttpRequest, channel_id: int) -> HttpResponseBase:
    """End a channel."""
    refuse_readers(request)
    row = row_of(channel_id)
    if row is None:
        return missing(request, _NONE)
    try:
        stored.delete(row, request.user.get_username())
    except stored.Gone:
        return missing(request, _NONE)
    messages.success(request, f"{row.name} was deleted. It sends no more notifications.")
    return redirect("notifications")


def _refused(request: HttpRequest, kind: Kind, row: Channel | None, refused: Refused) -> HttpResponseBase:
    errors = beside(refused.findings, channel_form.errors_of_kind(kind))
    form = channel_form.of_post(request.POST, kind)
    secret_typed = any(request.POST.get(f"field-{one.name}") for one in kind.fields if one.secret)
    return _form(request, kind, form, row=row, errors=errors, again=secret_typed)


def _previewed(request: HttpRequest, kind: Kind, row: Channel | None) -> HttpResponseBase:
    form = channel_form.of_post(request.POST, kind)
    shown, errors = of_templates(msgspec.structs.asdict(form))
    secret_typed = any(request.POST.get(f"field-{one.name}") for one in kind.fields if one.secret)
    return _form(request, kind, form, row=row, errors=errors, again=secret_typed, preview=shown)


def _form(
    request: HttpRequest, kind: Kind, form: ChannelForm, *, row: Channel | None = None,
    errors: Errors | None = None, **more: Any,
) -> HttpResponseBase:  # fmt: skip
    last = row.deliveries.all()[:_MOST_SHOWN] if row else ()
    if row is not None and not is_admin(request):
        form = msgspec.structs.replace(form, to_itself=row.to_itself)
    context = {
        "kind": kind,
        "row": row,
        "form": form,
        "fields": channel_form.drawn(kind, form, _kept(row)),
        "again_titles": locked.titles(row) if row else (),
        "lowest": channel_form.LOWEST,
        "topics": tuple(TOPICS.items()),
        "choices": channel_form.CHOICES,
        "placeholders": tuple(PLACEHOLDERS.items()),
        "preview": None,
        "is_admin": is_admin(request),
        "zones": sorted(zones()),
        "deliveries": tuple(channel_view.delivery(one) for one in last),
        "errors": errors or Errors(),
        "why_shut": shut_for(request),
    }
    return render(request, "notifications/channel_form.html", context | more, status=422 if errors else 200)


def _kept(row: Channel | None) -> tuple[str, ...]:
    """Secrets that can be left as they are."""
    return tuple(name for name in row.secrets if name not in row.lost) if row else ()
