"""`shares/sessions/`: who is connected to the shares, and which files are open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, answered
from jobs.api.views import View
from shares.sessions.end import QUESTION, EndSession
from shares.sessions.see import Sessions


class OpenSessions(View):
    """Who is connected."""

    area = "shares"

    @describe("list_sessions", {200: Sessions, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request) -> Response:
        """SMB and NFSv4 clients with their open files, read now. NFSv3 clients are known to nobody."""
        return answered(request, QUESTION, {})


class OneSession(View):
    """One client."""

    area = "shares"

    @writes("session.end", EndSession, by_path=("session",))
    def delete(self, _request: Request, session: str) -> Mapping[str, Any]:
        """Disconnect it. What is open for writing may hold unsaved work, which the plan then destroys."""
        return {"session": session}
