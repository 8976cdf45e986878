"""Memory modules that make errors."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.evidence import Evidence
from alerts.incidents.cause import Cause
from alerts.memory import MemorySlot
from alerts.remedy import Remedy
from jobs.wording import counted


def causes(memory: Evidence) -> Iterator[Cause]:
    """One for each module; it ends by itself when no more errors come."""
    yield from (_cause(one) for one in memory.memory_slots if one.bad)


def _cause(one: MemorySlot) -> Cause:
    lost = one.uncorrected > 0
    counts = [f"{counted(one.corrected, 'error')} corrected within a day"] if one.corrected else []
    if lost:
        counts.insert(0, f"{counted(one.uncorrected, 'error')} not corrected within a week")
    means = (
        "What was in memory there was lost. Data that was being written may be damaged, with a checksum that "
        "fits."
        if lost
        else "Nothing was lost: ECC corrected each of them. A module that makes many will make errors that "
        "it cannot correct."
    )
    return Cause(
        key=f"memory:{one.label}", kind="memory-errors", severity="critical" if lost else "warning",
        title=f"Memory {one.label}: {'uncorrected' if lost else 'corrected'} errors",
        details=(f"The memory module in the slot {one.label}: {', '.join(counts)}.", means),
        steps=(
            Remedy(words=f"Shut down, reseat the module in {one.label}, and clean its contacts."),
            Remedy(words="If the errors come back, replace it. Another slot shows whether the board is the "
                         "cause."),
        ),
        subjects=(f"memory:{one.label}",),
    )  # fmt: skip
