"""Which address leads where."""

from __future__ import annotations

from django.urls import include, path

from nasweb.metrics.endpoint import Metrics

handler400 = "nasweb.errors.bad_request"
handler403 = "nasweb.errors.forbidden"
handler404 = "nasweb.errors.not_found"
handler500 = "nasweb.errors.server_error"

urlpatterns = [
    path("api/v1/", include("nasweb.api.urls")),
    path("metrics", Metrics.as_view(), name="metrics"),  # without a slash: where Prometheus looks by default
    path("accounts/", include("nasweb.account_urls")),
    path("", include("frontend.urls")),
]
