"""How long a caller is ready to wait: `Prefer: wait=<seconds>` (RFC 7240)."""

from __future__ import annotations

import re

from rest_framework.request import Request

from jobs.waiting import MOST_S

_WAIT = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?(\d{1,9})\"?\s*(?=$|[,;])", re.IGNORECASE)


def asked_s(request: Request) -> float:
    """The seconds that the caller is ready to wait, at most 60; a preference that makes no sense is 0."""
    match = _WAIT.search(request.headers.get("Prefer", ""))
    return min(float(match[1]), MOST_S) if match else 0.0
