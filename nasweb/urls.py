"""Which address leads where."""

from __future__ import annotations

from django.urls import include, path

handler400 = "nasweb.errors.bad_request"
handler403 = "nasweb.errors.forbidden"
handler404 = "nasweb.errors.not_found"
handler500 = "nasweb.errors.server_error"

urlpatterns = [
    path("api/v1/", include("nasweb.api.urls")),
    path("accounts/", include("nasweb.account_urls")),
    path("", include("frontend.urls")),
]
