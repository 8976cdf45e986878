"""The dead man's ping: its form, and how the last ones went."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

import msgspec
from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_POST

from alerts.ping import stored
from alerts.ping.kind import PING
from alerts.ping.models import Ping
from alerts.ping.requests import PingSettings, SetPing
from frontend.access import page
from frontend.findings import Errors, beside
from frontend.missing import missing
from frontend.notifications.messages import refuse_readers, shut_for
from frontend.states import StateView, tone_view
from jobs import broker
from jobs.plan import Refused
from jobs.planning.shape import decode

_FIELDS = {"fields.url": "url", "fields.certificate": "certificate", "every_minutes": "every_minutes"}


class PingView(msgspec.Struct, frozen=True, kw_only=True):
    """The ping for the eye; `state` is None where there is none."""

    goes_to: str = ""
    state: StateView | None = None
    why: str = ""
    every_minutes: int = 5
    failing_since: datetime | None = None
    last_good_at: datetime | None = None
    mark: str = ""


def ping_view() -> PingView:
    """As it is now."""
    row = stored.row()
    if row is None:
        return PingView()
    return PingView(
        goes_to=row.goes_to, state=_state(row), why=row.last_error, every_minutes=row.every_minutes,
        failing_since=row.failing_since, last_good_at=row.last_good_at,
        mark=f"{row.goes_to}~{row.last_good_at}{row.failing_since}{row.enabled}{row.paused}{len(row.last_error)}",
    )  # fmt: skip


@sensitive_post_parameters()
@page("alerts:read")
def ping(request: HttpRequest) -> HttpResponseBase:
    """The form; a POST sets it up or changes it."""
    row = stored.row()
    if request.method != "POST":
        return _form(request, _shown(stored.settings_of(row)))
    refuse_readers(request)
    try:
        stored.store(stored.wanted(decode(SetPing, _data(request.POST))), request.user.get_username())
    except Refused as refused:
        return _form(request, _data(request.POST), beside(refused.findings, _FIELDS))
    broker.send("alerts.tasks.ping")  # without a queue the next tick asks
    messages.success(request, "The dead man's ping was saved. Its state is shown below in a moment.")
    return redirect("ping")


@page("alerts:read")
@require_POST
def delete(request: HttpRequest) -> HttpResponseBase:
    """Ask nobody any more."""
    refuse_readers(request)
    if not stored.delete(request.user.get_username()):
        return missing(request, "There is no ping")
    messages.success(request, "The dead man's ping was deleted. Delete it at the other side too.")
    return redirect("notifications")


def _state(row: Ping) -> StateView:
    if not row.enabled:
        return tone_view("idle", "disabled")
    if row.paused:
        return tone_view("warn", "paused")
    if row.failing_since is not None:
        return tone_view("bad", "not answered")
    if row.last_good_at is None:
        return tone_view("busy", "not asked yet")
    return tone_view("good", "answered")


@sensitive_variables()
def _data(post: QueryDict) -> dict[str, Any]:
    """What was sent, as the request takes it; an empty address keeps the old one."""
    url = post.get("url", "").strip()[:1001]
    minutes = post.get("every_minutes", "").strip()
    fields = {"certificate": post.get("certificate", "")} | ({"url": url} if url else {})
    return {
        "fields": fields, "enabled": "enabled" in post, "paused": "paused" in post,
        "every_minutes": int(minutes) if re.fullmatch(r"\d{1,4}", minutes, re.ASCII) else 0,
    }  # fmt: skip


def _shown(known: PingSettings) -> dict[str, Any]:
    return msgspec.structs.asdict(known) | {"fields": {"certificate": known.certificate}}


def _form(request: HttpRequest, data: dict[str, Any], errors: Errors | None = None) -> HttpResponseBase:
    url, certificate = PING.fields
    context = {
        "form": data | {"certificate": data["fields"].get("certificate"), "fields": None},
        "kept": stored.settings_of(stored.row()).kept,
        "again": "url" in data["fields"],
        "url": url,
        "certificate": certificate,
        "ping": ping_view(),
        "errors": errors or Errors(),
        "why_shut": shut_for(request),
    }
    return render(request, "notifications/ping.html", context, status=422 if errors else 200)
