"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from disks.api.bays import Bays, ChassisView, Export, Import, OneBay, Profiles
from disks.api.disks import DiskHistory, Disks, OneDisk
from disks.api.drives import BurnIns, Locate, Note, SmartTests, Wipe
from disks.api.self_tests import SelfTests, SelfTestsOfDisk

urlpatterns = [
    path("disks/", Disks.as_view()),
    path("disks/<str:disk_id>/", OneDisk.as_view()),
    path("disks/<str:disk_id>/story/", DiskHistory.as_view()),
    path("disks/<str:disk_id>/locate/", Locate.as_view()),
    path("disks/<str:disk_id>/smart-test/", SmartTests.as_view()),
    path("disks/<str:disk_id>/self-tests/", SelfTestsOfDisk.as_view()),
    path("disks/<str:disk_id>/burn-in/", BurnIns.as_view()),
    path("disks/<str:disk_id>/wipe/", Wipe.as_view()),
    path("disks/<str:disk_id>/note/", Note.as_view()),
    path("self-tests/", SelfTests.as_view()),
    path("chassis/", ChassisView.as_view()),
    path("chassis/profiles/", Profiles.as_view()),
    path("chassis/export/", Export.as_view()),
    path("chassis/import/", Import.as_view()),
    path("bays/", Bays.as_view()),
    path("bays/<str:label>/", OneBay.as_view()),
]
