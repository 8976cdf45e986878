"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from alerts.api.alerts import AcknowledgeOne, Alerts, OneAlert
from alerts.api.arrays import ArrayHistory
from alerts.api.channels import Channels, Deliveries, OneChannel, OneDelivery, TestChannel
from alerts.api.doctor import AcknowledgeOneFinding, Doctor
from alerts.api.events import PoolEvents
from alerts.api.live import Live
from alerts.api.messages import MessagePreview, SendRegular
from alerts.api.ping import DeadMansPing
from alerts.api.report import Report, ReportSending
from alerts.api.slow import Slow

urlpatterns = [
    path("alerts/", Alerts.as_view()),
    path("alerts/<int:alert_id>/", OneAlert.as_view()),
    path("alerts/<int:alert_id>/acknowledge/", AcknowledgeOne.as_view()),
    path("arrays/<str:name>/history/", ArrayHistory.as_view()),
    path("channels/", Channels.as_view()),
    path("channels/preview/", MessagePreview.as_view()),
    path("channels/<int:channel_id>/", OneChannel.as_view()),
    path("channels/<int:channel_id>/test/", TestChannel.as_view()),
    path("channels/<int:channel_id>/send/", SendRegular.as_view()),
    path("channels/<int:channel_id>/deliveries/", Deliveries.as_view()),
    path("channels/<int:channel_id>/deliveries/<int:delivery_id>/", OneDelivery.as_view()),
    path("doctor/", Doctor.as_view()),
    path("doctor/<str:code>/acknowledge/", AcknowledgeOneFinding.as_view()),
    path("ping/", DeadMansPing.as_view()),
    path("pools/<str:name>/events/", PoolEvents.as_view()),
    path("report/", Report.as_view()),
    path("report/send/", ReportSending.as_view()),
    path("pools/<str:name>/live/", Live.as_view()),
    path("slow/", Slow.as_view()),
]
