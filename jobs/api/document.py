"""Describes endpoints for the schema: what they take and answer. Errors are added for all at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

F = TypeVar("F", bound=Callable[..., Any])

PREFER = OpenApiParameter(
    "Prefer", str, OpenApiParameter.HEADER, description="`wait=<seconds>` waits up to 60 seconds for the end."
)
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[ -~]*$"},
    OpenApiParameter.HEADER,
    description="The same key and body give the same job back.",
)
DRY_RUN = OpenApiParameter(
    "dry_run", bool, OpenApiParameter.QUERY, description="Answer with what would be done and change nothing."
)
RECURSIVE = OpenApiParameter("recursive", bool, OpenApiParameter.QUERY, description="With all below it.")
PAGING = [
    OpenApiParameter(
        "limit", {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}, OpenApiParameter.QUERY
    ),
    OpenApiParameter(
        "cursor", {"type": "string"}, OpenApiParameter.QUERY, description="Part of an answer's `next`."
    ),
]


def describe(
    name: str,
    answers: dict[int, Any],
    *,
    request: Any = None,
    parameters: list[OpenApiParameter] | None = None,
) -> Callable[[F], F]:
    """Give an endpoint its operation id, its answers by status (None for no body), request and parameters.

    The query parameters among those are the ones that it takes: `View.initial` refuses others.
    """
    taken = frozenset(parameter.name for parameter in parameters or () if parameter.location == "query")

    def decorate(function: F) -> F:
        responses = {
            status: OpenApiResponse(response=shape, description=_describe(shape))
            for status, shape in answers.items()
        }
        function.parameters = taken  # type: ignore[attr-defined]
        return extend_schema(operation_id=name, request=request, responses=responses, parameters=parameters)(
            function
        )

    return decorate


def _describe(shape: Any) -> str:
    if isinstance(shape, dict):  # a schema as it is
        return str(shape.get("description", "Done."))
    return (getattr(shape, "__doc__", None) or "Done.").strip().partition("\n")[0]
