"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from replication.api import pairings, replications, rewrites, targets, turning

urlpatterns = [
    path("replications/", replications.Replications.as_view()),
    path("replications/<int:number>/", replications.OneReplication.as_view()),
    path("replications/<int:number>/run/", replications.Run.as_view()),
    path("replications/<int:number>/prove/", replications.Prove.as_view()),
    path("replications/<int:number>/drop-partial/", replications.DropPartialStream.as_view()),
    path("replications/go-live/", turning.MakeLive.as_view()),
    path("replications/freeze/", turning.Freeze.as_view()),
    path("replications/<int:number>/reverse/", turning.Reverse.as_view()),
    path("replications/<int:number>/forward/", turning.Forward.as_view()),
    path("replications/<int:number>/stop/", replications.Stop.as_view()),
    path("replications/<int:number>/progress/", replications.RunProgressView.as_view()),
    path("replications/<int:number>/estimate/", replications.Estimate.as_view()),
    path("replications/<int:number>/runs/", replications.Runs.as_view()),
    path("rewrites/", rewrites.Rewrites.as_view()),
    path("rewrites/<path:name>/stop/", rewrites.StopOne.as_view()),
    path("rewrites/<path:name>/compare/", rewrites.CompareOne.as_view()),
    path("rewrites/<path:name>/switch/", rewrites.SwitchOne.as_view()),
    path("rewrites/<path:name>/", rewrites.OneRewrite.as_view()),
    path("targets/", targets.Targets.as_view()),
    path("targets/pair/", targets.Pair.as_view()),
    path("targets/<int:number>/", targets.OneTarget.as_view()),
    path("targets/<int:number>/trust/", targets.Trust.as_view()),
    path("targets/<int:number>/setup/", targets.Setup.as_view()),
    path("targets/<int:number>/probe/", targets.ProbeTarget.as_view()),
    path("pairings/", pairings.Pairings.as_view()),
    path("pairings/answer/", pairings.Answer.as_view()),
    path("pairings/<int:number>/", pairings.OnePairing.as_view()),
    path("pairings/<int:number>/code/", pairings.Code.as_view()),
]
