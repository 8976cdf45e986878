"""Where the console sends files to on a simulated machine."""

from __future__ import annotations

from host.files.receiving import Message, Received
from host.simulated.files.uploads import receive
from host.simulated.simulator import SimulatedHost


class SimulatedUploads:
    """Each message is done at once, in the machine's state."""

    def __init__(self, host: SimulatedHost) -> None:
        self._host = host

    def call(self, ticket: str, message: Message, data: bytes = b"") -> Received:
        """As `host.files.receiving.Uploads.call`."""
        with self._host.change() as machine:
            return receive(machine, ticket, message, data)
