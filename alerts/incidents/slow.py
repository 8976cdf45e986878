"""A disk that is far slower than the others of its vdev, for ten minutes: often the first sign of its end."""

from __future__ import annotations

from collections.abc import Iterator

from alerts import remedy
from alerts.evidence import Evidence
from alerts.incidents.cause import Cause, Spot
from alerts.remedy import Remedy
from alerts.slow.rules import Slower


def causes(memory: Evidence) -> Iterator[Cause]:
    """One for each such disk. One that fails for another reason too is that incident, by its leaf."""
    yield from map(_cause, memory.slow)


def key_of(leaf: str) -> str:
    """Of the cause about a leaf, by its guid."""
    return f"slow:{leaf}"


def _cause(one: Slower) -> Cause:
    disk = one.disk
    place = f"Bay {disk.bay}" if disk.bay else disk.model
    return Cause(
        key=key_of(one.leaf.guid), kind="disk-slow", severity="warning", pool=one.pool.name,
        pool_guid=one.pool.guid,
        title=f"{place}: the disk is far slower than the others of {one.vdev.name}",
        details=(
            f"For ten minutes its requests took {one.ms:.0f} ms, those of the others {one.others_ms:.1f} ms.",
            "The whole vdev waits for its slowest disk. Such a disk often fails soon, whatever SMART says.",
        ),
        steps=(
            remedy.locate(disk),
            Remedy(words="Check its SMART values and run a long self-test; check its cable.",
                   page=f"/disks/{disk.id}/", label="Open the disk"),
            remedy.replace(one.pool.name, one.leaf.guid, "If it stays so, replace it."),
        ),
        subjects=(f"leaf:{one.leaf.guid}", f"disk:{disk.id}"),
        spots=(Spot(id=disk.id, bay=disk.bay),),
    )  # fmt: skip
