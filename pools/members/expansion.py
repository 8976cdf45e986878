"""What the expansion of a RAIDZ brings, in words: the figure that everybody stumbles over.

ZFS goes on counting free space with the ratio of data to parity that the vdev was made with, and what was
written before keeps its old stripes (man zpool-attach; openzfs issues 17784 and 18199).
"""

from __future__ import annotations

import msgspec

from host.capacity import LABELS_BYTES, Shape, deflate
from host.inventory import Pool, Vdev
from host.inventory.redundancy import layout_of
from host.layouts import parity
from jobs.planning.findings import Findings


class Gain(msgspec.Struct, frozen=True, kw_only=True):
    """Space for file data that one disk more brings, in bytes."""

    shown: int  # by which `zfs list` will show more
    new_data: int  # what fits into what is free then, written in the new, wider stripes
    old_width: int
    new_width: int
    parity: int


def gain(pool: Pool, raidz: Vdev) -> Gain:
    """Of a RAIDZ that was not expanded before; of another one `shown` is a little too high."""
    width, ashift = len(raidz.children), pool.ashift or 12
    layout = layout_of(raidz)
    per_disk = raidz.total_bytes // width
    then, now = (Shape(layout, (per_disk + LABELS_BYTES,) * count) for count in (width + 1, width))
    free = raidz.total_bytes - raidz.allocated_bytes + per_disk
    return Gain(
        shown=deflate(per_disk, now, ashift=ashift),
        new_data=deflate(free, then, ashift=ashift),
        old_width=width,
        new_width=width + 1,
        parity=parity(layout),
    )


def explain(pool: Pool, raidz: Vdev, findings: Findings) -> None:
    """Adds what happens to space and redundancy, and that there is no way back."""
    found = gain(pool, raidz)
    message = f"This cannot be undone: {raidz.name} will permanently have {found.new_width} disks."
    findings.warning("irreversible", "vdev", message)
    old, new = found.old_width - found.parity, found.new_width - found.parity
    message = (
        f"Free space is an estimate from then on. ZFS keeps counting {old} parts data to {found.parity} "
        f"parity and shows {_tib(found.shown)} more; new data is written {new} to {found.parity}, so about "
        f"{_tib(found.new_data)} fit into the free space."
    )
    findings.info("space-is-an-estimate", "vdev", message)
    message = (
        "Existing data keeps its old share of parity until it is rewritten; copy a dataset and delete the "
        "old one to gain that space too."
    )
    findings.info("old-data-stays", "vdev", message)
    message = (
        f"As before, {found.parity} disk{'s' if found.parity > 1 else ''} may fail, now of "
        f"{found.new_width}. Data moves for hours or days; the pool stays usable, and the expansion "
        "survives a restart."
    )
    findings.info("redundancy-stays", "vdev", message)


def _tib(size_bytes: int) -> str:
    return (
        f"{size_bytes / (1 << 40):.2f} TiB" if size_bytes >= 1 << 37 else f"{size_bytes / (1 << 30):.1f} GiB"
    )
