"""Where the kernel's files are read from."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

_MOST_BYTES = 1 << 20


class KernelFiles(Protocol):
    """Files below /proc and /sys of a machine."""

    def read(self, path: str) -> str:
        """What `path` holds; empty where it is not there, or cannot be read now."""
        ...

    def names(self, folder: str) -> list[str]:
        """What a folder holds, in order; nothing where it is not there."""
        ...


class LocalKernelFiles:
    """Those of this machine; `root` is where its / is seen."""

    def __init__(self, root: Path = Path("/")) -> None:
        self._root = root

    def read(self, path: str) -> str:
        """As `KernelFiles`. A port without a cable answers EINVAL for its speed: that is empty too."""
        try:
            with self._at(path).open("rb", buffering=0) as file:
                held = bytearray()
                while (part := file.read(_MOST_BYTES)) and len(held) < _MOST_BYTES:
                    held += part
        except OSError:
            return ""
        return held.decode("utf-8", "replace")

    def names(self, folder: str) -> list[str]:
        """As `KernelFiles`."""
        try:
            return sorted(entry.name for entry in self._at(folder).iterdir())
        except OSError:
            return []

    def _at(self, path: str) -> Path:
        return self._root / path.lstrip("/")
