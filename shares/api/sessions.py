"""`shares/sessions/`: who is connected to the shares, and which files are open."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from jobs import questions
from jobs.api.document import PREFER, describe
from jobs.api.operations import writes
from jobs.api.questions import StillAsking, settled, still_asking
from jobs.api.views import View, user_of
from shares.sessions.end import QUESTION, EndSession
from shares.sessions.see import Sessions, without_names


class OpenSessions(View):
    """Who is connected."""

    area = "shares"

    @describe("list_sessions", {200: Sessions, 202: StillAsking}, parameters=[PREFER])
    def get(self, request: Request) -> Response:
        """SMB and NFSv4 clients with their open files, read now. NFSv3 clients are known to nobody.

        Without `files:read` the names of open files are left out, and `more_files` counts them all.
        """
        report = questions.value(QUESTION, settled(request, QUESTION, {}))
        if report is None:
            return still_asking()
        return Response(report if user_of(request).has_perm("files:read") else without_names(report))


class OneSession(View):
    """One client."""

    area = "shares"

    @writes("session.end", EndSession, by_path=("session",))
    def delete(self, _request: Request, session: str) -> Mapping[str, Any]:
        """Disconnect it. What is open for writing may hold unsaved work, which the plan then destroys."""
        return {"session": session}
