"""Lists a page at a time."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from jobs.api import query

T = TypeVar("T")
M = TypeVar("M", bound=Model)


def answer(request: Request, results: Sequence[Any], following: str | None, **more: Any) -> Response:
    """A page with the address of the next one, which takes the same parameters."""
    address = None
    if following is not None:
        address = replace_query_param(request.build_absolute_uri(), "cursor", following)
    return Response({"results": results, "next": address, **more})


def of_values[T](
    request: Request, values: Sequence[T], *, key: Callable[[T], str], show: Callable[[T], Any], as_of: str
) -> Response:
    """A page of values of the inventory. Its cursor survives that values come and go before it."""
    limit = query.limit(request)
    start = _start(values, key, query.cursor(request))
    page = values[start : start + limit]
    end = start + len(page)
    following = _cursor(end, key(page[-1])) if page and end < len(values) else None
    return answer(request, [show(value) for value in page], following, as_of=as_of)


def of_rows[M: Model](request: Request, rows: QuerySet[M], *, show: Callable[[M], Any]) -> Response:
    """A page of rows, newest first; their ids are the cursors."""
    limit = query.limit(request)
    cursor = query.cursor(request)
    if cursor is not None:
        if not (cursor.isascii() and cursor.isdecimal() and len(cursor) < 19):
            raise query.bad_cursor()
        rows = rows.filter(pk__lt=int(cursor))
    page = list(rows.order_by("-pk")[: limit + 1])
    following = str(page[limit - 1].pk) if len(page) > limit else None
    return answer(request, [show(row) for row in page[:limit]], following)


def _cursor(index: int, key: str) -> str:
    return base64.urlsafe_b64encode(f"{index}:{key}".encode()).decode().rstrip("=")


def _start[T](values: Sequence[T], key: Callable[[T], str], cursor: str | None) -> int:
    """Behind the value that the cursor names; where that is gone, at its old place."""
    if cursor is None:
        return 0
    try:
        text = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        index, _, last = text.decode().partition(":")
        place = int(index)
    except (binascii.Error, ValueError):
        raise query.bad_cursor() from None
    if place < 1:
        raise query.bad_cursor()
    if place <= len(values) and key(values[place - 1]) == last:
        return place
    return next((at + 1 for at, value in enumerate(values) if key(value) == last), place)
