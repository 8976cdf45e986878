"""`ping/`: an address elsewhere that is asked while all is well. A setting of the console."""

from __future__ import annotations

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.ping import stored
from alerts.ping.models import Ping
from alerts.ping.requests import PingSettings, SetPing
from disks.records import iso
from jobs import broker
from jobs.api import query
from jobs.api.document import DRY_RUN, describe
from jobs.api.shapes import Moment
from jobs.api.views import View, user_of
from jobs.planning.shape import decode


class PingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The dead man's ping. Its address is never answered: `goes_to` is the host, empty while there is none.
    `failing_since` is set while it is not answered with success, and `last_error` says why."""

    goes_to: str
    certificate: str
    every_minutes: int
    enabled: bool
    paused: bool
    last_try_at: Moment | None
    last_good_at: Moment | None
    failing_since: Moment | None
    last_error: str


class DeadMansPing(View):
    """The one ping of this machine."""

    area = "alerts"

    @describe("get_ping", {200: PingAnswer})
    def get(self, request: Request) -> Response:
        """The ping, without its address."""
        return Response(_answer(stored.row()))

    @describe("change_ping", {200: PingAnswer}, request=SetPing, parameters=[DRY_RUN])
    def patch(self, request: Request) -> Response:
        """Set it up, or change what is given. The worker asks at once; a dry run shows the result."""
        asked = stored.wanted(decode(SetPing, request.data))
        if query.flag(request, "dry_run"):
            return Response(_answer(stored.row(), asked))
        row = stored.store(asked, user_of(request).get_username())
        broker.send("alerts.tasks.ping")  # without a queue the next tick asks
        return Response(_answer(row))

    @describe("delete_ping", {200: PingAnswer, 204: None}, parameters=[DRY_RUN])
    def delete(self, request: Request) -> Response:
        """Forget it with its address, if there is one; a dry run shows which one that would be."""
        if query.flag(request, "dry_run"):
            return Response(_answer(stored.row()))
        stored.delete(user_of(request).get_username())
        return Response(status=204)


def _answer(row: Ping | None, asked: PingSettings | None = None) -> PingAnswer:
    """As it is, or as it would be with what is `asked` for."""
    shown = asked or stored.settings_of(row)
    times = {
        name: iso(moment) if (moment := getattr(row, name, None)) else None
        for name in ("last_try_at", "last_good_at", "failing_since")
    }
    return PingAnswer(
        goes_to=shown.goes_to, certificate=shown.certificate, every_minutes=shown.every_minutes,
        enabled=shown.enabled, paused=shown.paused, last_error=row.last_error if row else "", **times,
    )  # fmt: skip
