"""Does something again and again beside the work."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

EVERY_S = 10.0


def until(ended: Callable[[float], bool], action: Callable[[], object]) -> None:
    """`action` each time that `ended` says no, which it takes that many seconds for."""
    while not ended(EVERY_S):
        with suppress(OSError):  # a report that cannot be written now can be in ten seconds
            action()


@contextmanager
def repeated(action: Callable[[], object]) -> Iterator[None]:
    """`action` every ten seconds, never at the same time as what comes after."""
    ended = threading.Event()

    def work() -> None:
        # A signal belongs to the thread that waits for a command.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        until(ended.wait, action)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
