"""Answers to what goes wrong outside the API's views: JSON under /api/, a page elsewhere."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils.html import format_html

from nasweb.api.problems import MEDIA_TYPE, Problem
from nasweb.database import RETRY_AFTER_S, database_trouble


def answer(request: HttpRequest, problem: Problem, detail: str) -> HttpResponse:
    """The problem as a document for the API; else the template `<status>.html`, or a line of text."""
    if request.path_info.startswith("/api/"):
        body = msgspec.json.encode(problem.document(detail))
        return HttpResponse(body, status=problem.status, content_type=MEDIA_TYPE)
    context = {"title": problem.title, "detail": detail}
    try:
        page = render_to_string(f"{problem.status}.html", context)
    except TemplateDoesNotExist:
        page = format_html(
            "<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><p>{detail}</p></html>",
            **context,
        )
    return HttpResponse(page, status=problem.status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400."""
    return answer(
        request,
        Problem.BAD_REQUEST,
        "The request was damaged in transit, or did not come from a page of this console.",
    )


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    return answer(request, Problem.FORBIDDEN, str(exception) or "Your account is not allowed to do this.")


def csrf_failed(request: HttpRequest, reason: str = "", **_: Any) -> HttpResponse:
    """403 for a form that did not come from one of our pages."""
    detail = "The form has expired, or came from elsewhere. Load the page again."
    return answer(request, Problem.FORM_NOT_ACCEPTED, detail)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404."""
    return answer(request, Problem.NOT_FOUND, "There is nothing at this address.")


def server_error(request: HttpRequest) -> HttpResponse:
    """503 that says what is wrong with the database and what to do; else 500. The log has the details."""
    if (why := database_trouble(sys.exception())) is not None:
        response = answer(request, Problem.SERVICE_UNAVAILABLE, why)
        response["Retry-After"] = str(RETRY_AFTER_S)
        return response
    return answer(request, Problem.INTERNAL_ERROR, "Something went wrong here. The log has the details.")
