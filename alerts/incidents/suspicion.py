"""What SMART points to: the disk itself, or what lies between it and the controller.

- Pending, uncorrectable and growing reallocated sectors, failed self-tests and the disk's own verdict speak
  of the disk: `disks.verdict` has the thresholds and their sources, and `Disk.health` its word.
- CRC errors (ATA attribute 199) are counted by the disk for frames that arrived garbled: cable, connector or
  backplane. They never go down, so only their growth says anything about now.
"""

from __future__ import annotations

from typing import Literal

from alerts.incidents.members import Member

Suspect = Literal["disk", "cable", "nobody", "unknown"]
_COUNTS = (
    ("pending_sectors", "sectors that cannot be read"),
    ("uncorrectable_sectors", "uncorrectable read errors"),
    ("reallocated_sectors", "reallocated sectors"),
)


def suspect(member: Member) -> Suspect:
    """What its last SMART readings point to; `unknown` where there is none."""
    if member.disk is not None and member.disk.health == "failing":
        return "disk"
    memory = member.memory
    if memory is None or memory.reading is None:
        return "unknown"
    reading = memory.reading
    if reading.passed is False or reading.pending_sectors or reading.uncorrectable_sectors:
        return "disk"
    if memory.grown("reallocated_sectors"):
        return "disk"
    return "cable" if memory.grown("crc_errors") else "nobody"


def words(member: Member) -> str:
    """The evidence for that, in a sentence."""
    memory = member.memory
    match suspect(member):
        case "disk":
            counts = [
                f"{count} {noun}"
                for field, noun in _COUNTS
                if memory and memory.reading and (count := getattr(memory.reading, field))
            ]
            said = ", ".join(counts) or "that it is failing"
            return f"According to SMART, the disk itself is the cause: it reports {said}."
        case "cable":
            grown = memory.grown("crc_errors") if memory else 0
            return (
                f"Its CRC errors rose by {grown} within days: suspect the cable, the connector or the "
                "backplane rather than the disk."
            )
        case "nobody":
            return "According to SMART, the disk is healthy: check its cable and power before you replace it."
        case _:
            return "Its health is not known: its SMART data was never read."
