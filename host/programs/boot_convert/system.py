"""The machine around the program: its paths, and what Python itself can find out or do there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from host.commands.system.converting import NOTES, REPORT
from host.programs.boot_convert.repeating import repeated
from host.programs.signals import ready

_ANY_BYTES = "surrogateescape"  # what is not UTF-8 in somebody's file comes out as it went in
Repeated = Callable[[Callable[[], object]], AbstractContextManager[None]]


def resolved(path: str) -> str | None:
    """Where a path of something that exists leads to."""
    try:
        return os.path.realpath(path, strict=True)
    except (OSError, ValueError):
        return None


def used_bytes(path: Path) -> int:
    """How much of a file system is taken, as df counts it. Raises `OSError`."""
    found = os.statvfs(path)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def _utc() -> datetime:
    return datetime.now(UTC)


class System(NamedTuple):
    """What differs in a test. All paths are below `root`; commands name those of the machine itself."""

    root: Path = Path("/")
    kernel: str = os.uname().release
    resolve: Callable[[str], str | None] = resolved
    used: Callable[[Path], int] = used_bytes
    mounted: Callable[[Path], bool] = os.path.ismount
    now: Callable[[], datetime] = _utc
    ready: Callable[[], None] = ready
    repeated: Repeated = repeated

    def path(self, path: str) -> Path:
        """The place of an absolute path."""
        return self.root / path.lstrip("/")

    @property
    def report(self) -> Path:
        """Beside the notes of other programs, in a folder that is not copied."""
        return self.path(REPORT)

    @property
    def notes(self) -> Path:
        """The folder of the report."""
        return self.path(NOTES)

    @property
    def old(self) -> Path:
        """Where the old disk's file systems are mounted once more, as they lie in each other."""
        return self.path("/run/nasweb-convert/old")

    @property
    def new(self) -> Path:
        """Where the array is mounted."""
        return self.path("/run/nasweb-convert/new")

    @property
    def custom(self) -> Path:
        """What GRUB's menu of the old system reads besides."""
        return self.path("/boot/grub/custom.cfg")


def read(path: Path) -> str:
    """The text of a file; empty where there is none. Raises `OSError`."""
    try:
        return path.read_text(encoding="utf-8", errors=_ANY_BYTES)
    except FileNotFoundError:
        return ""


def write(path: Path, text: str) -> None:
    """The whole file, which keeps its mode, in a folder that is made for it. Raises `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors=_ANY_BYTES)


def replace(path: Path, text: str) -> None:
    """The same in one step: a power cut leaves the old file or the new one. Raises `OSError`."""
    fresh = path.with_name(f"{path.name}.new")
    with fresh.open("w", encoding="utf-8", errors=_ANY_BYTES) as file:
        file.write(text)
        file.flush()
        if path.exists():
            shutil.copymode(path, fresh)
        os.fsync(file.fileno())
    fresh.replace(path)
