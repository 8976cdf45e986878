"""`channels/`: what a template makes of an alert, and regular messages that are sent at once."""

from __future__ import annotations

from django.utils import timezone
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from alerts.api.channels import (
    NO_CHANNEL,
    DeliveryAnswer,
    DeliveryPlanAnswer,
    channel_row,
    delivery,
    sent_in_time,
)
from alerts.channels import stored
from alerts.channels.preview import MessagePreviewAnswer, PreviewMessage, previewed
from alerts.digest import queueing
from alerts.digest.queueing import SendMessage
from jobs.api import query
from jobs.api.document import DRY_RUN, PREFER, describe
from jobs.api.views import View, user_of
from jobs.planning.shape import decode


class MessagePreview(View):
    """Shows what templates make of an alert."""

    area = "alerts"
    write_scope = "alerts:read"  # it sends and changes nothing

    @describe("preview_message", {200: MessagePreviewAnswer}, request=PreviewMessage)
    def post(self, request: Request) -> Response:
        """The message about a sample alert. Sends nothing."""
        return Response(previewed(decode(PreviewMessage, request.data)))


class SendRegular(View):
    """Sends a digest or a "still alive" message at once."""

    area = "alerts"

    @describe(
        "send_message",
        {200: DeliveryPlanAnswer, 202: DeliveryAnswer},
        request=SendMessage,
        parameters=[DRY_RUN, PREFER],
    )
    def post(self, request: Request, channel_id: int) -> Response:
        """Have the worker send it, and wait for the outcome, 10 s unless `Prefer` says otherwise."""
        asked = decode(SendMessage, request.data)
        row = channel_row(channel_id)
        if query.flag(request, "dry_run"):
            message = queueing.message_of(row, asked.about, timezone.now())
            return Response(
                DeliveryPlanAnswer(goes_to=row.goes_to, subject=message.subject, text=message.text)
            )
        try:
            queued = queueing.send_now(row, asked.about, user_of(request).get_username())
        except stored.Gone:
            raise NotFound(NO_CHANNEL) from None
        sent = sent_in_time(request, queued)
        location = {"Location": f"/api/v1/channels/{row.pk}/deliveries/{sent.pk}/"}
        return Response(delivery(sent, request), status=202, headers=location)
