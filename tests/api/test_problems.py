"""The type of a problem leads to a page that explains it, whoever answers and whoever reads."""

from __future__ import annotations

import re

import msgspec
import pytest
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.http import Http404
from django.test import Client
from django.utils.html import escape
from rest_framework import exceptions

from accounts.setup import TooManyGuesses
from jobs.api.refresh import QueueDown
from jobs.api.views import NotReady
from jobs.api.wire import TooLarge
from jobs.plan import Finding, Refused
from jobs.submission import Forbidden, IdempotencyMismatch
from nasweb.api import answers
from nasweb.api.problems import Problem
from nasweb.settings import BASE_DIR

NGINX = BASE_DIR / "ansible" / "roles" / "nginx" / "files" / "site"
FINDING = Finding(level="error", code="x", field="", message="No.")


@pytest.mark.parametrize("kind", Problem)
@pytest.mark.parametrize("slash", ["", "/"])
def test_each_type_leads_to_a_page_that_explains_it(kind: Problem, slash: str) -> None:
    answer = Client().get(kind.type + slash)  # without credentials
    assert (answer.status_code, answer.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    page = answer.content.decode()
    assert escape(kind.title) in page and escape(kind.meaning) in page and str(kind.status) in page


@pytest.mark.parametrize("kind", Problem)
def test_each_explanation_is_two_or_three_sentences(kind: Problem) -> None:
    assert len(re.findall(r"\.(?:\s|$)", kind.meaning)) in {2, 3}


@pytest.mark.parametrize("name", ["nothing", "BUSY", "busy/more", "__class__"])
def test_an_unknown_type_has_no_page(name: str) -> None:
    answer = Client().get(f"/api/v1/problems/{name}/")
    assert answer.status_code == (401 if "/" in name else 404)  # deeper is no address of these pages
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize(
    "error",
    [
        Refused((FINDING,)),
        IdempotencyMismatch("x"),
        Forbidden("x"),
        PermissionDenied(),
        Http404(),
        SuspiciousOperation(),
        NotReady(),
        QueueDown(),
        TooLarge(),
        TooManyGuesses("x"),
        exceptions.AuthenticationFailed(),
        exceptions.MethodNotAllowed("PUT"),
        exceptions.NotAuthenticated(),
        exceptions.NotFound(),
        exceptions.ParseError(),
        exceptions.PermissionDenied(),
        exceptions.UnsupportedMediaType("text/plain"),
        exceptions.APIException(),  # of a kind that nobody expects: like any fault of ours
        LookupError(),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_is_answered_is_of_a_known_type(error: Exception) -> None:
    answer = answers.answer(error, {})
    (kind,) = (kind for kind in Problem if kind.type == answer.data["type"])
    assert answer.status_code == answer.data["status"] == kind.status
    assert answer.data["title"] == kind.title
    assert answer.data["detail"]


def test_what_nginx_answers_is_of_a_known_type() -> None:
    found = re.findall(r"return (\d+) '(\{.*\})'", NGINX.read_text())
    assert len(found) == 2
    for status, text in found:
        problem = msgspec.json.decode(text)
        (kind,) = (kind for kind in Problem if kind.type == problem["type"])
        assert problem == kind.document(problem["detail"])
        assert int(status) == kind.status


@pytest.mark.parametrize(
    ("path", "host", "kind"),
    [
        ("/api/v1/nowhere", "localhost", Problem.UNAUTHORIZED),
        ("/api/nowhere", "localhost", Problem.NOT_FOUND),
        ("/api/v1/disks/", "evil.example", Problem.UNKNOWN_HOST),
    ],
)
def test_answers_outside_the_api_are_of_a_known_type(path: str, host: str, kind: Problem) -> None:
    problem = Client().get(path, headers={"host": host}).json()
    assert problem == kind.document(problem["detail"])
