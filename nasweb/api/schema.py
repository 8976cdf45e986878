"""The description of the API (OpenAPI 3.1): requests and answers are described as the structs they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import msgspec.inspect
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema

from jobs.api.shapes import ProblemAnswer

_REF = "#/components/schemas/"
_COMMON = {
    401: "No credentials, or bad ones.",
    403: "The caller lacks the scope.",
    500: "A fault here; logged.",
}
_READS = {422: "A parameter makes no sense.", 503: "The machine has not been probed yet."}
_WRITES = {
    **_READS,
    409: "The plan changed, needs confirmation, or something is in use by a job.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    422: "The request cannot be carried out, with all findings.",
}


class BodiesOnDelete(AutoSchema):
    """Describes the body of DELETE too: it carries the digest of the plan that was read."""

    def _get_request_body(self, direction: Any = "request") -> dict[str, Any] | None:
        if self.method != "DELETE":
            return super()._get_request_body(direction)  # type: ignore[no-any-return, no-untyped-call]
        self.method = "POST"  # the generator would not read a body otherwise
        try:
            body: dict[str, Any] | None = super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        finally:
            self.method = "DELETE"
        return None if body is None else body | {"required": False}


class StructExtension(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Describes `msgspec` structs by their own JSON schema."""

    target_class = "msgspec.Struct"
    match_subclasses = True

    def get_name(self, auto_schema: Any = None, direction: Any = None) -> str:
        """The struct's name."""
        return str(self.target.__name__)

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """The struct's schema; the structs that it holds become components of their own."""
        _, components = msgspec.json.schema_components([self.target], ref_template=_REF + "{name}")
        for struct in _structs_in(msgspec.inspect.type_info(self.target)):
            if struct is not self.target:
                auto_schema.resolve_serializer(struct, direction)
        described: dict[str, Any] = components[self.get_name()]
        return described


def _structs_in(kind: Any, seen: frozenset[type] = frozenset()) -> Iterator[type[msgspec.Struct]]:
    """All structs that a type's description names, however deep."""
    if isinstance(kind, msgspec.inspect.StructType):
        if kind.cls in seen:
            return
        seen |= {kind.cls}
        yield kind.cls
    for part in _parts(kind):
        yield from _structs_in(part, seen)


def _parts(kind: Any) -> Iterator[Any]:
    if isinstance(kind, msgspec.inspect.StructType):
        yield from (field.type for field in kind.fields)
    for name in ("types", "item_types"):
        yield from getattr(kind, name, ())
    for name in ("type", "item_type", "key_type", "value_type"):
        if isinstance(part := getattr(kind, name, None), msgspec.inspect.Type):
            yield part


class BearerScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How a script signs in."""

    target_class = "nasweb.api.authentication.BearerToken"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """A bearer token."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "nas_…"}


class SessionScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the console's pages sign in."""

    target_class = "nasweb.api.authentication.BrowserSession"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """The session's cookie."""
        return {"type": "apiKey", "in": "cookie", "name": "nasweb_session"}


def document_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add what every operation may answer when it does not do what it was asked."""
    components = msgspec.json.schema_components([ProblemAnswer], ref_template=_REF + "{name}")[1]
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    for name, part in components.items():
        schemas.setdefault(name, part)
    for item in result["paths"].values():
        for method, operation in item.items():
            errors: dict[int, str] = _COMMON | (_READS if method == "get" else _WRITES)
            named = any(parameter.get("required") for parameter in operation.get("parameters", ()))
            if named:  # in the path or, for snapshots, in the query
                errors[404] = "There is no such thing."
            if operation["operationId"] == "answer_pairing":
                errors[404] = "No code is shown here, or none that fits."
            if operation["operationId"] in {"claim", "answer_pairing"}:
                errors[429] = "So many codes were tried that this one was not checked."
            for status, description in errors.items():
                operation["responses"].setdefault(str(status), _problem(description))
            _document_location(operation)
            operation["responses"] = dict(sorted(operation["responses"].items()))
    return result


def _problem(description: str) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": {"$ref": f"{_REF}ProblemAnswer"}}}
    return {"description": description, "content": content}


def _document_location(operation: dict[str, Any]) -> None:
    for status in ("201", "202"):
        answer = operation["responses"].get(status)
        if answer is not None:
            answer["headers"] = {
                "Location": {"description": "What was made.", "schema": {"type": "string"}},
            }
