"""A request that a page carries in a hidden field, to be planned again or edited."""

from __future__ import annotations

from typing import Any

import msgspec
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest

from host import typed


def sent_request(request: HttpRequest) -> dict[str, Any]:
    """The field `request` as an object. Raises `SuspiciousOperation`, answered with 400."""
    try:
        data = typed.decode_storable(request.POST.get("request", ""))
    except msgspec.DecodeError:
        raise SuspiciousOperation("This is not a valid request.") from None
    if not isinstance(data, dict):
        raise SuspiciousOperation("This is not a valid request.")
    return data
