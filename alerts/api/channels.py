"""`channels/`: who is notified of alerts, and how. Settings of the console; no job has to be carried out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.channels import stored, words
from alerts.channels.awaiting import ended
from alerts.channels.decide import Topic
from alerts.channels.models import About, Channel, Delivery
from alerts.channels.requests import (
    AtOnce,
    ChangeChannel,
    CreateChannel,
    KindName,
    RemindHours,
    Repeat,
    Seldom,
    Settings,
    Weekday,
)
from alerts.channels.sender import this_machine
from alerts.incidents.cause import Severity
from alerts.incidents.withheld import text_for
from alerts.rights import lacking
from host import typed
from jobs.api import paging, preference, query
from jobs.api.document import DRY_RUN, PAGING, PREFER, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, user_of
from jobs.planning.shape import decode
from jobs.rights import User

_TIMEOUT_S = 10.0
NO_CHANNEL = "There is no such channel."
_REPORT = "A health report is shown to those who may read system, disks, pools, shares, jobs and alerts."


class ChannelPlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A channel as it would be. `secrets` names the fields that are kept and never answered; `goes_to` says
    whom or what it leads to."""

    name: str
    kind: KindName
    goes_to: str
    fields: dict[str, str]
    secrets: tuple[str, ...]
    lowest: Severity
    topics: tuple[Topic, ...]
    quiet_from: str
    quiet_until: str
    time_zone: str
    tells_end: bool
    remind_hours: RemindHours
    at_once: AtOnce
    digest: Repeat
    alive: Seldom
    report: Seldom
    regular_at: str
    regular_on: Weekday
    title_template: str
    text_template: str
    to_itself: bool
    enabled: bool


class ChannelAnswer(ChannelPlanAnswer, frozen=True, kw_only=True):
    """A channel. `failing_since` is set while messages do not arrive, and `last_error` says why. `locked` are
    secrets that cannot be opened on this machine, and have to be typed again."""

    id: int
    created_at: Moment
    last_sent_at: Moment | None
    failing_since: Moment | None
    last_error: str
    locked: tuple[str, ...]
    waiting: int


class ChannelPage(msgspec.Struct, frozen=True, kw_only=True):
    """Channels, newest first."""

    results: tuple[ChannelAnswer, ...]
    next: str | None


class DeliveryPlanAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A message that would be sent."""

    goes_to: str
    subject: str
    text: str


class DeliveryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A message to a channel. A `test` was asked for by hand, and is tried once; others are tried again until
    a day has passed. `said` is why the last try failed. The `text` of a health report needs the scopes that
    the report needs."""

    id: int
    channel: int
    test: bool
    about: Literal["alerts", "test", "digest", "alive", "report"]
    severity: Severity
    subject: str
    text: str
    state: Literal["queued", "sending", "sent", "failed"]
    tries: int
    said: str
    created_at: Moment
    due_at: Moment
    ended_at: Moment | None


class DeliveryPage(msgspec.Struct, frozen=True, kw_only=True):
    """Messages of the last 30 days, newest first."""

    results: tuple[DeliveryAnswer, ...]
    next: str | None


class Channels(View):
    """All channels."""

    area = "alerts"

    @describe("list_channels", {200: ChannelPage}, parameters=PAGING)
    def get(self, request: Request) -> Response:
        """A page of channels."""
        return paging.of_rows(request, Channel.objects.all(), show=channel)

    @describe(
        "create_channel",
        {200: ChannelPlanAnswer, 201: ChannelAnswer},
        request=CreateChannel,
        parameters=[DRY_RUN],
    )
    def post(self, request: Request) -> Response:
        """Make a channel. What is secret in it is sealed for the worker, and answered to nobody."""
        asked = stored.wanted(decode(CreateChannel, request.data), user_of(request))
        if query.flag(request, "dry_run"):
            return Response(_planned(asked))
        row = stored.create(asked, user_of(request).get_username())
        return Response(channel(row), status=201, headers={"Location": f"/api/v1/channels/{row.pk}/"})


class OneChannel(View):
    """One channel."""

    area = "alerts"

    @describe("get_channel", {200: ChannelAnswer})
    def get(self, request: Request, channel_id: int) -> Response:
        """The channel, without its secrets."""
        return Response(channel(channel_row(channel_id)))

    @describe("change_channel", {200: ChannelAnswer}, request=ChangeChannel, parameters=[DRY_RUN])
    def patch(self, request: Request, channel_id: int) -> Response:
        """Change what is given; a dry run shows the result."""
        row = channel_row(channel_id)
        asked = stored.wanted_change(decode(ChangeChannel, request.data), row, user_of(request))
        if query.flag(request, "dry_run"):
            return Response(channel(row, asked))
        with _still_there():
            return Response(channel(stored.change(row, asked, user_of(request).get_username())))

    @describe("delete_channel", {200: ChannelAnswer, 204: None}, parameters=[DRY_RUN])
    def delete(self, request: Request, channel_id: int) -> Response:
        """End it with all that waits to be sent; a dry run shows which one that would be."""
        row = channel_row(channel_id)
        if query.flag(request, "dry_run"):
            return Response(channel(row))
        with _still_there():
            stored.delete(row, user_of(request).get_username())
        return Response(status=204)


class TestChannel(View):
    """Tries a channel out."""

    area = "alerts"

    @describe(
        "test_channel",
        {200: DeliveryPlanAnswer, 202: DeliveryAnswer},
        parameters=[DRY_RUN, PREFER],
    )
    def post(self, request: Request, channel_id: int) -> Response:
        """Have the worker send a test message, and wait for the outcome, 10 s unless `Prefer` says otherwise.

        Its `state` says: sent, failed, or still on its way.
        """
        row = channel_row(channel_id)
        if query.flag(request, "dry_run"):
            message = words.test_message(row.name, this_machine(row.time_zone))
            answer = DeliveryPlanAnswer(goes_to=row.goes_to, subject=message.subject, text=message.text)
            return Response(answer)
        with _still_there():
            queued = stored.try_out(row, user_of(request).get_username())
        sent = sent_in_time(request, queued)
        location = {"Location": f"/api/v1/channels/{row.pk}/deliveries/{sent.pk}/"}
        return Response(delivery(sent, request), status=202, headers=location)


class Deliveries(View):
    """The messages to a channel."""

    area = "alerts"

    @describe("list_deliveries", {200: DeliveryPage}, parameters=PAGING)
    def get(self, request: Request, channel_id: int) -> Response:
        """A page of messages."""
        rows = Delivery.objects.filter(channel=channel_row(channel_id))
        return paging.of_rows(request, rows, show=lambda row: delivery(row, request))


class OneDelivery(View):
    """One message to a channel."""

    area = "alerts"

    @describe("get_delivery", {200: DeliveryAnswer})
    def get(self, request: Request, channel_id: int, delivery_id: int) -> Response:
        """The message, and what became of it."""
        rows = Delivery.objects.filter(channel=channel_row(channel_id))
        found = rows.filter(pk=delivery_id).first() if delivery_id < 1 << 63 else None
        if found is None:
            raise NotFound("There is no such message.")
        return Response(delivery(found, request))


def sent_in_time(request: Request, queued: Delivery) -> Delivery:
    """What became of a message while the request waited."""
    wanted_s = preference.asked_s(request) if "Prefer" in request.headers else _TIMEOUT_S
    return ended(queued, timeout_s=wanted_s)


def channel(row: Channel, asked: Settings | None = None) -> ChannelAnswer:
    """A channel as the API shows it, or as it would be with the settings that are `asked` for."""
    return ChannelAnswer(
        **_fields(asked or stored.settings_of(row)), id=row.pk, created_at=_iso(row.created_at),
        last_sent_at=_maybe(row.last_sent_at), failing_since=_maybe(row.failing_since),
        last_error=row.last_error, locked=tuple(row.lost),
        waiting=row.deliveries.filter(ended_at=None).count(),
    )  # fmt: skip


def delivery(row: Delivery, request: Request) -> DeliveryAnswer:
    """A message as whoever asks may read it."""
    return typed.convert(
        {
            "id": row.pk, "channel": row.channel_id, "test": row.test, "about": row.about,
            "severity": row.severity, "subject": row.subject, "text": _text(row, user_of(request)),
            "state": row.state, "tries": row.tries, "said": row.said, "created_at": _iso(row.created_at),
            "due_at": _iso(row.due_at),
            "ended_at": _maybe(row.ended_at),
        },
        DeliveryAnswer,
    )  # fmt: skip


def _text(row: Delivery, user: User) -> str:
    return _REPORT if row.about == About.REPORT and lacking(user) else text_for(row.text, user)


def _planned(asked: Settings) -> ChannelPlanAnswer:
    return ChannelPlanAnswer(**_fields(asked))


def _fields(asked: Settings) -> Mapping[str, Any]:
    given = msgspec.structs.asdict(asked)
    secrets = tuple(sorted({*given.pop("typed"), *given.pop("kept")}))
    return given | {"secrets": secrets}


def channel_row(channel_id: int) -> Channel:
    row = Channel.objects.filter(pk=channel_id).first() if channel_id < 1 << 63 else None
    if row is None:
        raise NotFound(NO_CHANNEL)
    return row


@contextmanager
def _still_there() -> Iterator[None]:
    try:
        yield
    except stored.Gone:
        raise NotFound(NO_CHANNEL) from None


def _maybe(moment: datetime | None) -> str | None:
    return None if moment is None else _iso(moment)


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
