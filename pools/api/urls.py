"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from pools.api.datasets import Datasets, OneDataset
from pools.api.pools import Capacity, OnePool, Pools
from pools.api.snapshots import OneSnapshot, Snapshots

urlpatterns = [
    path("pools/", Pools.as_view()),
    path("pools/<str:name>/", OnePool.as_view()),
    path("datasets/", Datasets.as_view()),
    path("datasets/<path:name>/", OneDataset.as_view()),
    path("snapshots/", Snapshots.as_view()),
    path("snapshots/<path:name>/", OneSnapshot.as_view()),
    path("capacity/", Capacity.as_view()),
]
