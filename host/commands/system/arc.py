"""How large ZFS's cache in memory (ARC) may be: now, and after each start.

ZFS has no command for it: its parameters are files of the kernel, and what it does not take it ignores
without an error, so what came of it is read from its counters.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from host.commands.base import Command
from host.contents import arc
from host.families import Family
from host.inventory.memory import ArcBounds

STATS = "/proc/spl/kstat/zfs/arcstats"
PARAMETERS = "/sys/module/zfs/parameters"
Bound = Literal["max", "min"]
Bytes = Annotated[int, Meta(ge=0, le=1 << 46)]


class ArcFiles(Command, frozen=True, kw_only=True):
    """The lines that say how large the cache may be, behind their file's path and NUL: ZFS's own counters,
    the kernel's command line, and every file that modprobe reads. grep ends with 2 where one is missing."""

    reads = True
    good_exits = (0, 1, 2)

    def argv(self) -> tuple[str, ...]:
        how = ("--no-messages", "--text", "--recursive", "--null", "--with-filename", "--extended-regexp")
        of = "^c_(min|max) |zfs|ZFS"
        folders = (arc.FOLDER, "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d")
        names = ("--include=*.conf", "--include=arcstats", "--include=cmdline")
        return ("grep", *how, *names, f"--regexp={of}", STATS, "/proc/cmdline", *folders)


class ArcCommand(Command, frozen=True, kw_only=True):
    """One that changes the bounds, and nothing else."""

    touches = frozenset({Family.SYSTEM})


class StageArcBounds(ArcCommand, frozen=True, kw_only=True):
    """Write what each start is to set beside its place, where modprobe does not read it. 0: leave it out."""

    max_bytes: Bytes = 0
    min_bytes: Bytes = 0

    def __post_init__(self) -> None:
        if fault := arc.bounds_fault(self._bounds):
            raise ValueError(fault)
        if self._bounds == ArcBounds():
            raise ValueError("A file that sets nothing is not written but removed.")

    @property
    def _bounds(self) -> ArcBounds:
        return ArcBounds(max_bytes=self.max_bytes, min_bytes=self.min_bytes)

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{arc.FILE}.next")

    def input(self) -> str:
        return arc.render(self._bounds)


class PlaceArcBounds(ArcCommand, frozen=True, kw_only=True):
    """Put the staged file in place."""

    def argv(self) -> tuple[str, ...]:
        return ("mv", "--no-target-directory", f"{arc.FILE}.next", arc.FILE)


class RemoveArcBounds(ArcCommand, frozen=True, kw_only=True):
    """From the next start on ZFS decides."""

    def argv(self) -> tuple[str, ...]:
        return ("rm", "--force", arc.FILE)


class SetArcBound(ArcCommand, frozen=True, kw_only=True):
    """Set the parameter now. 0 says that nobody set it, and changes nothing else until the next start."""

    bound: Bound
    size_bytes: Bytes

    def __post_init__(self) -> None:
        least = arc.LEAST_MAX_BYTES if self.bound == "max" else arc.LEAST_MIN_BYTES
        if 0 < self.size_bytes < least:
            raise ValueError(f"ZFS takes nothing below {least} bytes.")

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{PARAMETERS}/zfs_arc_{self.bound}")

    def input(self) -> str:
        return f"{self.size_bytes}\n"


class CheckArcBound(Command, frozen=True, kw_only=True):
    """Whether ZFS took it: grep fails where its counters say another number."""

    reads = True
    bound: Bound
    size_bytes: Bytes

    def argv(self) -> tuple[str, ...]:
        line = f"c_{self.bound} +[0-9]+ +{self.size_bytes}"
        return ("grep", "--extended-regexp", "--line-regexp", f"--regexp={line}", STATS)


Commands = ArcFiles | StageArcBounds | PlaceArcBounds | RemoveArcBounds | SetArcBound | CheckArcBound
