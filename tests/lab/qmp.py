"""The least of QEMU's machine protocol that pulling a disk needs."""

import json
import socket
from pathlib import Path
from typing import Any

from tests.lab.trees import LabError


class Qmp:
    """One connection. Answers and events arrive on it mixed; events that nobody awaited yet are kept."""

    def __init__(self, path: Path, *, timeout_s: float = 60) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(timeout_s)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rw")
        self._events: list[dict[str, Any]] = []
        self._lines.readline()
        self.execute("qmp_capabilities")

    def execute(self, command: str, **arguments: object) -> Any:
        """The command's return value. Raises LabError with QEMU's own words."""
        self._lines.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self._lines.flush()
        while True:
            message = self._read()
            if "return" in message:
                return message["return"]
            if "error" in message:
                raise LabError(f"QEMU refused {command}: {message['error']['desc']}")
            self._events.append(message)

    def wait_for_deletion(self, device: str) -> None:
        """Returns once the guest has let go of `device`; raises TimeoutError."""
        while not any(_is_deletion(event, device) for event in self._events):
            self._events.append(self._read())
        self._events.clear()

    def close(self) -> None:
        self._lines.close()
        self._socket.close()

    def _read(self) -> dict[str, Any]:
        line = self._lines.readline()
        if not line:
            raise LabError("QEMU has gone.")
        message: dict[str, Any] = json.loads(line)
        return message


def _is_deletion(event: dict[str, Any], device: str) -> bool:
    return (event["event"], event.get("data", {}).get("device")) == ("DEVICE_DELETED", device)
