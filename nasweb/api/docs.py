"""The description of the API for tools (`schema/`) and people (`docs/`)."""

from __future__ import annotations

import functools
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.csp import CSP
from django.views.decorators.csp import csp_override
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

# Swagger UI draws with style attributes. Only this page, which shows nothing of the machine, allows them.
_DOCS_CSP = settings.SECURE_CSP | {"style-src": [CSP.SELF, CSP.UNSAFE_INLINE]}


@extend_schema(exclude=True)
class Schema(APIView):
    """OpenAPI 3.1. It says nothing about this machine, so anyone may read it."""

    permission_classes = (AllowAny,)

    def get(self, request: Request) -> Response:
        """The description as JSON."""
        return Response(description())


@functools.cache
def description() -> dict[str, Any]:
    """The whole API, described once per process."""
    schema: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
    return schema


@login_not_required
@csp_override(_DOCS_CSP)
def docs(request: HttpRequest) -> HttpResponse:
    """The browsable description; its scripts and styles are served from here."""
    return render(request, "api/docs.html")
