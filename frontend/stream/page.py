"""The address of the stream, and how many there are at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from threading import Lock

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_GET

from frontend.access import page
from frontend.stream.changes import lines


class Places:
    """Each stream takes a thread of the web server. Whoever gets none polls, as without a stream."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._taken: Counter[int] = Counter()

    def take(self, user: int) -> bool:
        """A place for `user`, who may not have more than half of them."""
        most = settings.NASWEB_STREAMS
        with self._lock:
            if self._taken.total() >= most or self._taken[user] >= (most + 1) // 2:
                return False
            self._taken[user] += 1
            return True

    def leave(self, user: int) -> None:
        """Give the place back."""
        with self._lock:
            self._taken[user] -= 1


places = Places()


class _Stream:
    """Its lines; gives its place back when it is closed, even one that nobody read from."""

    def __init__(self, user: int) -> None:
        self._user, self._lines, self._open = user, lines(), True

    def __iter__(self) -> Iterator[bytes]:
        return self._lines

    def close(self) -> None:
        if self._open:
            self._open = False
            places.leave(self._user)


@require_GET
@page()
def stream(request: HttpRequest) -> HttpResponseBase:
    """204, after which a browser does not ask again, where all places are taken."""
    user = request.user.pk or 0
    if not places.take(user):
        return HttpResponse(status=204)
    answer = StreamingHttpResponse(_Stream(user), content_type="text/event-stream")
    answer["Cache-Control"] = "no-store"
    answer["X-Accel-Buffering"] = "no"  # nginx would collect some kilobytes first
    return answer
