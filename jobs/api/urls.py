"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from jobs.api.jobs import AbortJob, Audit, Jobs, OneJob
from jobs.api.refresh import Refresh
from jobs.api.schedules import OneSchedule, SchedulePreview, Schedules
from jobs.api.series import Series

urlpatterns = [
    path("jobs/", Jobs.as_view()),
    path("jobs/<int:job_id>/", OneJob.as_view()),
    path("jobs/<int:job_id>/abort/", AbortJob.as_view()),
    path("audit/", Audit.as_view()),
    path("metrics/series/", Series.as_view()),
    path("schedules/", Schedules.as_view()),
    path("schedules/preview/", SchedulePreview.as_view()),
    path("schedules/<int:schedule_id>/", OneSchedule.as_view()),
    path("inventory/refresh/", Refresh.as_view()),
]
