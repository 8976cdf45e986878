"""The file system under the console's database fills up: reported while there is room left to record it."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.evidence import Evidence
from alerts.incidents.cause import Cause
from alerts.remedy import Remedy

_MEANS = (
    "The console's database is on it. Once it is full, nothing can be changed here: no job starts, nobody "
    "can sign in, and no alert is recorded. Reading still works, with tokens and in open sessions."
)
SCARCE_BYTES, NONE_BYTES = 256 << 20, 64 << 20


def causes(memory: Evidence) -> Iterator[Cause]:
    """One while less than `SCARCE_BYTES` are free."""
    free = memory.room_bytes
    if free is None or free >= SCARCE_BYTES:
        return
    yield Cause(
        key="system:room", kind="database-full", severity="critical" if free < NONE_BYTES else "warning",
        title=f"The system's disk is nearly full: {free >> 20} MiB are free",
        details=(
            _MEANS,
            "Pools and shares are not affected.",
        ),
        steps=(
            Remedy(words="See what takes the space, in a terminal: “du -xhd1 /var”."),
            Remedy(words="Shrink logs: “journalctl --vacuum-size=100M”; and downloads: “apt-get clean”."),
            Remedy(words="Or move /var to a pool.", page="/boot/state/", label="State of the system"),
        ),
        subjects=("system:room",),
    )  # fmt: skip
