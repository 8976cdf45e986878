"""Work that many ask for at once and that is as good for all of them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock


class Shared:
    """Does its work one at a time. Who asks while it is being done gets the next one, together with all
    others that wait: never one that began before it was asked for."""

    def __init__(self, lock: Lock | None = None) -> None:
        self._lock = lock or Lock()
        self._begun = 0
        self._succeeded = False

    def __call__(self, work: Callable[[], bool]) -> bool:
        """What `work` answers that began after this call, whoever's it was. Raises what one's own raises."""
        asked = self._begun
        with self._lock:
            if self._begun == asked:
                self._begun += 1
                self._succeeded = False
                self._succeeded = work()
            return self._succeeded
