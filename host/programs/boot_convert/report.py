"""The file that says how far the copy is (`host.inventory.conversion.Conversion`)."""

from __future__ import annotations

import re

import msgspec

from host.inventory.conversion import ConversionState
from host.programs.boot_convert.probing import Setup
from host.programs.boot_convert.system import System, replace

_UNPLAIN = re.compile(r"[^A-Za-z0-9 .,:;()/_=+-]")
_MOST = 300


class Report:
    """One line of JSON, written whole. The file system of the copy says how much is done."""

    def __init__(self, system: System, setup: Setup) -> None:
        self._system, self._setup = system, setup
        self._started = self._moment()
        self.total_bytes = self._done = 0

    def write(self, state: ConversionState, words: str = "") -> None:
        """Raises `OSError`."""
        new = self._system.new
        if self._system.mounted(new):
            self._done = self._system.used(new)
        self._done = min(self._done, self.total_bytes)
        line = msgspec.json.encode({
            "state": state,
            "array": self._setup.array_uuid,
            "disk": self._setup.disk.rpartition("/")[2],
            "done_bytes": self._done,
            "total_bytes": self.total_bytes,
            "started_at": self._started,
            "updated_at": self._moment(),
            "words": _UNPLAIN.sub(" ", words)[:_MOST],
        })  # fmt: skip
        replace(self._system.report, f"{line.decode()}\n")

    def _moment(self) -> str:
        return self._system.now().isoformat(timespec="seconds")
