"""What pages and server did before a test failed, shown with its failure: some fail once in many runs."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from collections import deque

from playwright.sync_api import Page, Request

_LAST = 200  # a page that waits 15 seconds asks about sixty times


class Diary:
    """The last requests as pages and server saw them, in order, with the seconds since the test began."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._lines: deque[str] = deque(maxlen=_LAST)

    def note(self, text: str) -> None:
        """Keep one line. Any thread may call it."""
        self._lines.append(f"{time.monotonic() - self._begun:8.3f} {text}")

    def watch(self, page: Page) -> None:
        """Keep what `page` asks for, and what becomes of it."""
        page.on("request", lambda request: self.note(f"page asks     {_of(request)}"))
        page.on("requestfinished", lambda request: self.note(f"page received {_of(request)}"))
        page.on(
            "requestfailed", lambda request: self.note(f"page gave up  {_of(request)}: {request.failure}")
        )
        page.on("console", lambda message: self.note(f"console       {message.type}: {message.text}"))

    def __str__(self) -> str:
        names = {thread.ident: thread.name for thread in threading.enumerate()}
        stacks = [
            f"--- {names.get(ident, ident)}\n{''.join(traceback.format_stack(frame)[-6:])}"
            for ident, frame in sys._current_frames().items()
            if ident != threading.get_ident()
        ]
        return "\n".join([*self._lines, *stacks])


def _of(request: Request) -> str:
    return f"{request.method} {request.url.split('/', 3)[-1]}"
