"""How a program in a unit of its own talks to systemd: it reports that it is ready, and is asked to stop."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Mapping

_ENDING = (signal.SIGTERM, signal.SIGINT)


class Stop:
    """Whether someone asked this program to end. Signals are taken when it checks, never in between."""

    def __init__(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
        self._asked = False

    def asked(self) -> bool:
        """True from the first signal on."""
        return self.wait(0)

    def wait(self, seconds: float) -> bool:
        """Wait so long at most; True as soon as someone asks, and from then on."""
        self._asked = self._asked or signal.sigtimedwait(_ENDING, seconds) is not None
        return self._asked


def ready(environment: Mapping[str, str] = os.environ) -> None:
    """Notify systemd that the work begins (sd_notify(3)); systemd-run waits for that. Raises `OSError`."""
    if address := environment.get("NOTIFY_SOCKET"):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notification:
            notification.sendto(b"READY=1", f"\0{address[1:]}" if address.startswith("@") else address)
