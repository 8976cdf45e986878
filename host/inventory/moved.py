"""Where /var and /home lie, when the owner moved them to a pool."""

from __future__ import annotations

from typing import Literal

import msgspec

# copying: the first copy is made; waiting: the next start switches; returning: the next start copies back.
MovedPhase = Literal["none", "copying", "broken-off", "waiting", "moved", "returning", "failed"]
NotThere = Literal[
    "pool-missing", "pool-suspended", "pool-read-only", "dataset-missing", "mount-failed", "copy-failed",
    "unknown",
]  # fmt: skip
_WORDS: dict[NotThere, str] = {
    "pool-missing": "the pool was not imported when the machine started",
    "pool-suspended": "the pool did not answer when the machine started",
    "pool-read-only": "the pool was imported read-only",
    "dataset-missing": "the pool has no dataset with them any more",
    "mount-failed": "they could not be mounted",
    "copy-failed": "the last copy could not be made",
    "unknown": "the start did not report why",
}


class FolderSpace(msgspec.Struct, frozen=True, kw_only=True):
    """The file system that a folder is on; both sizes are multiples of 16 MiB."""

    mountpoint: str
    used_bytes: int
    free_bytes: int


class MovedState(msgspec.Struct, frozen=True, kw_only=True):
    """What was requested, and what this start made of it."""

    phase: MovedPhase = "none"
    pool: str = ""  # its name when it was chosen
    guid: str = ""
    folders: tuple[str, ...] = ()  # var, home
    since: str | None = None  # ISO 8601, UTC: when the start switched
    here: bool = True  # they are the system's own disk's now
    why: NotThere | None = None  # why they are, although they were moved, or should have been
    said: str = ""  # by the program that failed
    spaces: tuple[FolderSpace, ...] = ()  # of /, /var and /home; without the last one where there is none
    crypttab: bool = False  # /etc/crypttab names something: a start that unlocks waits for /var first

    @property
    def falls_back(self) -> bool:
        """The machine runs from what its own disk had when they were moved."""
        return self.phase in {"moved", "returning"} and self.here

    @property
    def uses(self) -> bool:
        """The pool is needed: it holds them, or shall."""
        return self.phase not in {"none", "failed"}

    @property
    def reason(self) -> str:
        """`why` as a part of a sentence; empty without one."""
        return "" if self.why is None else _WORDS[self.why]

    @property
    def named(self) -> str:
        """`/var and /home`."""
        return " and ".join(f"/{folder}" for folder in self.folders)
