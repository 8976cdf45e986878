"""The sector size a pool is made for (ashift): fixed for ever in each vdev."""

from __future__ import annotations

from collections.abc import Sequence

from host.inventory import Disk
from jobs.planning.findings import Findings

_USUAL = 12


def check_ashift(asked: int | None, disks: Sequence[Disk], findings: Findings) -> int:
    """The ashift to use: what was asked for, else 12 or what the disks need; one too small is a finding."""
    sector = max((disk.physical_sector_bytes for disk in disks), default=512)
    needed = sector.bit_length() - 1
    ashift = max(_USUAL, needed) if asked is None else asked
    if ashift < needed:
        message = (
            f"Disks with sectors of {sector} bytes need ashift {needed} or more; with {ashift} every small "
            "write would become a read, a change and a write, for as long as the pool exists."
        )
        findings.error("ashift-too-small", "ashift", message)
    elif ashift < _USUAL:
        message = "Today's disks have 4096-byte sectors and could never be good replacements here. Use 12."
        findings.warning("ashift-below-12", "ashift", message)
    return ashift
