"""`report/`: the health report, and sending it to a channel."""

from __future__ import annotations

from typing import Annotated

import msgspec
from django.utils import timezone
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.api.channels import DeliveryAnswer, DeliveryPlanAnswer, delivery
from alerts.channels.models import Channel
from alerts.report import sending
from alerts.report.making import make
from alerts.report.value import HealthReport
from alerts.rights import lacking
from jobs.api import query
from jobs.api.document import DRY_RUN, describe
from jobs.api.views import View, inventory_now, user_of
from jobs.plan import Refused
from jobs.planning.findings import fault
from jobs.planning.shape import decode
from jobs.rights import Forbidden

# It says something of every room: whoever may not read one of them may not read it here.
_NONE = fault("no-channel", "channel", "There is no such channel.")


class SendReport(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Send the report to the channel with this number."""

    channel: Annotated[int, Meta(ge=1, le=(1 << 63) - 1)]


class Report(View):
    """The health report."""

    area = "alerts"

    @describe("get_report", {200: HealthReport})
    def get(self, request: Request) -> Response:
        """What an owner keeps of the last 30 days: pools, disks by bay, snapshots, alerts, the doctor. It
        needs the scopes to read the system, disks, pools, shares, jobs and alerts."""
        _allowed(request)
        return Response(make(inventory_now(), timezone.now()))


class ReportSending(View):
    """Sends the report."""

    area = "alerts"

    @describe(
        "send_report",
        {200: DeliveryPlanAnswer, 202: DeliveryAnswer},
        request=SendReport,
        parameters=[DRY_RUN],
    )
    def post(self, request: Request) -> Response:
        """Have the worker send it to a channel; a dry run shows the message. What became of it is said by
        `channels/{channel_id}/deliveries/{delivery_id}/`. One that waits already is not sent twice."""
        _allowed(request)
        only_shown = query.flag(request, "dry_run")
        row = Channel.objects.filter(pk=decode(SendReport, request.data).channel).first()
        if row is None:
            raise Refused((_NONE,))
        report = make(inventory_now(), timezone.now())
        if only_shown:
            made = sending.message_to(row, report)
            return Response(DeliveryPlanAnswer(goes_to=row.goes_to, subject=made.subject, text=made.text))
        sent = sending.queue(row, report, user_of(request).get_username(), timezone.now())
        if sent is None:
            raise Refused((_NONE,))
        location = {"Location": f"/api/v1/channels/{row.pk}/deliveries/{sent.pk}/"}
        return Response(delivery(sent, request), status=202, headers=location)


def _allowed(request: Request) -> None:
    if missing := lacking(user_of(request)):
        raise Forbidden(f"This needs the scope {missing[0]} too.")
