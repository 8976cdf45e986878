"""What one probe may leave to the next."""

from __future__ import annotations

import time
from datetime import datetime

from host.base import Host
from host.inventory import HostFacts
from host.probe.facts import probe_facts
from host.probe.labels import Labels

_FACTS_LAST_S = 300.0


class Memory:
    """Remembers label states (reading one wakes a disk) and, for five minutes, facts that hardly move."""

    def __init__(self) -> None:
        self.labels = Labels()
        self._facts: tuple[float, HostFacts] | None = None

    def facts(self, host: Host, now: datetime) -> HostFacts:
        """The facts of `host`, asked anew when they are old. Raises `HostError`."""
        if self._facts is None or time.monotonic() - self._facts[0] > _FACTS_LAST_S:
            self._facts = (time.monotonic(), probe_facts(host, now))
        return self._facts[1]
