"""Pages get pages and scripts get JSON, and every answer says to the browser what it may load."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory

from accounts.models import User
from nasweb import errors

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("path", "content_type"),
    [("/jobs/", "text/html; charset=utf-8"), ("/api/v1/jobs/", "application/problem+json")],
)
def test_errors_have_the_form_of_what_was_asked_for(path: str, content_type: str) -> None:
    request = RequestFactory().get(path)
    for answer, status in (
        (errors.bad_request(request, ValueError("inner")), 400),
        (errors.forbidden(request, PermissionDenied("Not you.")), 403),
        (errors.csrf_failed(request, reason="inner"), 403),
        (errors.not_found(request), 404),
        (errors.server_error(request), 500),
    ):
        assert (answer.status_code, answer.headers["Content-Type"]) == (status, content_type)
        assert b"inner" not in answer.content


def test_an_unknown_page_is_404(client: Client, admin: User) -> None:
    client.force_login(admin)
    answer = client.get("/nowhere/")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


@pytest.mark.parametrize("path", ["/accounts/login/", "/api/v1/disks/", "/nowhere/"])
def test_nothing_may_be_loaded_from_elsewhere_or_inline(client: Client, path: str) -> None:
    policy = client.get(path).headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy and "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_only_the_api_docs_allow_inline_styles(client: Client) -> None:
    answer = client.get("/api/v1/docs/")
    policy = answer.headers["Content-Security-Policy"]
    assert "style-src 'self' 'unsafe-inline'" in policy and "script-src" not in policy
    assert b"<style" not in answer.content and b"<script>" not in answer.content
