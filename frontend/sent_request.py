"""A request that a page carries in a hidden field, to be planned again or edited."""

from __future__ import annotations

import json
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest


def sent_request(request: HttpRequest) -> dict[str, Any]:
    """The field `request` as an object. Raises `SuspiciousOperation`, answered with 400."""
    try:
        data = json.loads(request.POST.get("request", ""))
    except (ValueError, RecursionError):
        raise SuspiciousOperation("That is no request.") from None
    if not isinstance(data, dict):
        raise SuspiciousOperation("That is no request.")
    return data
