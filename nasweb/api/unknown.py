"""Addresses under /api/ that lead nowhere."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView


@extend_schema(exclude=True)
class Unknown(APIView):
    """404 for any method, once the caller is known."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Answers before a method is looked up, so that no method gets 405 here."""
        super().initial(request, *args, **kwargs)
        if not request.path.endswith("/"):
            raise NotFound(f"Addresses end with a slash: {request.path[:200]}/")
        raise NotFound("There is nothing at this address.")
