"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import path

from shares.api import shares
from shares.api.groups import Groups, OneGroup
from shares.api.people import OnePerson, Password, People, PersonWithFolder
from shares.api.rights import Rights, StopRights
from shares.api.sessions import OneSession, OpenSessions

urlpatterns = [
    path("users/", People.as_view()),
    path("users/<str:name>/", OnePerson.as_view()),
    path("users/<str:name>/password/", Password.as_view()),
    path("groups/", Groups.as_view()),
    path("groups/<str:name>/", OneGroup.as_view()),
    path("shares/smb/", shares.SmbShares.as_view()),
    path("shares/smb/<str:share>/", shares.OneSmbShare.as_view()),
    path("shares/nfs/", shares.NfsShares.as_view()),
    path("shares/nfs/<int:share_id>/", shares.OneNfsShare.as_view()),
    path("shares/folder/", shares.Folder.as_view()),
    path("shares/personal-folder/", PersonWithFolder.as_view()),
    path("shares/settings/", shares.Settings.as_view()),
    path("shares/apply/", shares.Apply.as_view()),
    path("shares/rights/", Rights.as_view()),
    path("shares/rights/stop/", StopRights.as_view()),
    path("shares/sessions/", OpenSessions.as_view()),
    path("shares/sessions/<str:session>/", OneSession.as_view()),
]
