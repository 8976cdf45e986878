"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from machine.api import arc, copies, monitoring, network_speed, power, views

urlpatterns = [
    path("system/settings/", views.Settings.as_view()),
    path("system/settings/name/", views.Name.as_view()),
    path("system/settings/time-zone/", views.TimeZone.as_view()),
    path("system/settings/metrics/", monitoring.MetricsSettings.as_view()),
    path("system/settings/log-target/", monitoring.LogTargetSettings.as_view()),
    path("system/settings/arc/", arc.ArcSettings.as_view()),
    path("system/restart/", power.Restarts.as_view()),
    path("system/shut-down/", power.Shutdowns.as_view()),
    path("network/", views.WholeNetwork.as_view()),
    path("network/speed/", network_speed.Speed.as_view()),
    path("network/speed/listen/", network_speed.Listening.as_view()),
    path("network/confirm/", views.Confirm.as_view()),
    path("network/revert/", views.Revert.as_view()),
    path("network/interfaces/<str:interface>/", views.OneInterface.as_view()),
    path("configuration/copies/", copies.AllCopies.as_view()),
    path("configuration/copies/<str:pool>/<str:copy>/", copies.OneCopy.as_view()),
    path("configuration/copies/<str:pool>/<str:copy>/download/", copies.Download.as_view()),
    path("configuration/settings/", copies.Settings.as_view()),
    path("configuration/uploads/", copies.Uploads.as_view()),
    path("configuration/restore/", copies.Restore.as_view()),
]
