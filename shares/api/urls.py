"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from shares.api.sessions import OneSession, OpenSessions

urlpatterns = [
    path("shares/sessions/", OpenSessions.as_view()),
    path("shares/sessions/<str:session>/", OneSession.as_view()),
]
