"""Addresses under /api/v1/."""

from __future__ import annotations

from django.urls import include, path, re_path

from nasweb.api import problems
from nasweb.api.accounts import Accounts, OneAccount, Reset
from nasweb.api.docs import Schema, docs
from nasweb.api.first_boot import FirstBoot, FirstStart
from nasweb.api.setup import Setup
from nasweb.api.system import System
from nasweb.api.tokens import OneToken, Tokens
from nasweb.api.unknown import Unknown

urlpatterns = [
    path("setup/", Setup.as_view()),
    path("system/", System.as_view()),
    path("system/first-boot/", FirstBoot.as_view()),
    path("system/first-start/", FirstStart.as_view()),
    path("accounts/", Accounts.as_view()),
    path("accounts/<int:account_id>/", OneAccount.as_view()),
    path("accounts/<int:account_id>/reset/", Reset.as_view()),
    path("tokens/", Tokens.as_view()),
    path("tokens/<int:token_id>/", OneToken.as_view()),
    path("", include("disks.api.urls")),
    path("", include("pools.api.urls")),
    path("", include("replication.api.urls")),
    path("", include("shares.api.urls")),
    path("", include("backups.api.urls")),
    path("", include("machine.api.urls")),
    path("", include("alerts.api.urls")),
    path("", include("jobs.api.urls")),
    path("schema/", Schema.as_view()),
    path("docs/", docs),
    path("problems/<slug:slug>", problems.page),  # as a problem's type has it
    path("problems/<slug:slug>/", problems.page),
    re_path(r"^.*$", Unknown.as_view()),
]
