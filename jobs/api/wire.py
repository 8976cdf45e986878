"""JSON in and out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, Any

import msgspec
from django.conf import settings
from django.http.request import UnreadablePostError
from rest_framework.exceptions import APIException
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from host import typed
from jobs.plan import Refused
from jobs.planning.findings import fault

_MOST_OF_STRANGERS = 64 << 10  # bytes; decoded it takes twenty times as much, and strangers are many


class TooLarge(APIException):
    """The body is larger than any request needs to be."""

    status_code = 413
    default_detail = "The body is too large."
    default_code = "too-large"


class JSONRenderer(BaseRenderer):
    """Encodes values, `msgspec` structs included."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        """`data` as JSON; nothing for None."""
        return b"" if data is None else msgspec.json.encode(data)


class JSONParser(BaseParser):
    """Decodes a body of bounded size and depth: a short one where nobody has signed in."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The decoded body. Raises `Refused` for what is no JSON, `TooLarge`."""
        request = (parser_context or {}).get("request")
        # Django's own, which knows the session: what a browser sends DRF reads before it says whose it is, to
        # check that it is no other site's.
        around = getattr(request, "_request", None)
        signed_in = around is not None and around.user.is_authenticated
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE if signed_in else _MOST_OF_STRANGERS
        try:
            body = stream.read(most + 1)
        except UnreadablePostError:
            raise _refused("The body could not be read.") from None
        if len(body) > most:
            raise TooLarge
        try:
            return typed.decode_storable(body)
        except msgspec.DecodeError as error:
            raise _refused(f"The body is not JSON that can be used: {error}.") from None


class AlwaysJSON(BaseContentNegotiation):
    """There is one format, whatever Accept says."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """The JSON parser when the body says that it is JSON; else None, which answers 415."""
        media_type = (request.content_type or "").partition(";")[0].strip().lower()
        return next(iter(parsers)) if media_type == "application/json" else None

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """The JSON renderer."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


def _refused(message: str) -> Refused:
    return Refused((fault("bad-json", "", message),))
