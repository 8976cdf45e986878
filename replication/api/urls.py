"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from replication.api import replications

urlpatterns = [
    path("replications/", replications.Replications.as_view()),
    path("replications/<int:number>/", replications.OneReplication.as_view()),
    path("replications/<int:number>/run/", replications.Run.as_view()),
    path("replications/<int:number>/prove/", replications.Prove.as_view()),
    path("replications/<int:number>/stop/", replications.Stop.as_view()),
    path("replications/<int:number>/progress/", replications.RunProgressView.as_view()),
    path("replications/<int:number>/estimate/", replications.Estimate.as_view()),
    path("replications/<int:number>/runs/", replications.Runs.as_view()),
]
