"""Answers to what goes wrong outside the API's views: JSON under /api/, a page elsewhere."""

from __future__ import annotations

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils.html import format_html


def answer(request: HttpRequest, status: int, title: str, detail: str) -> HttpResponse:
    """A problem (RFC 9457) for the API; else the template `<status>.html`, or a line of text."""
    if request.path_info.startswith("/api/"):
        problem = {"type": "about:blank", "title": title, "status": status, "detail": detail}
        return HttpResponse(
            msgspec.json.encode(problem), status=status, content_type="application/problem+json"
        )
    try:
        page = render_to_string(f"{status}.html", {"title": title, "detail": detail})
    except TemplateDoesNotExist:
        page = format_html(
            "<!doctype html><html lang=en><title>{}</title><h1>{}</h1><p>{}</p></html>", title, title, detail
        )
    return HttpResponse(page, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    return answer(request, 400, "Bad request", "The request could not be read.")


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return answer(request, 403, "Forbidden", str(exception) or "Your account may not do this.")


def csrf_failed(request: HttpRequest, reason: str = "", **_: Any) -> HttpResponse:
    """403 for a form that did not come from one of our pages."""
    detail = "The form was too old, or it came from elsewhere. Load the page again."
    return answer(request, 403, "Form not accepted", detail)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return answer(request, 404, "Not found", "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    """500. The log has the details."""
    return answer(request, 500, "Internal error", "Something went wrong here. The log has the details.")
