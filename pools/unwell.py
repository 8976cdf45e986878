"""The one rule for a disk that is not well: it joins a pool, an array or the boot pair once somebody has
confirmed that with its counts in sight (`accept_unwell` of the request)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Annotated

from msgspec import Meta

from host.inventory import Disk
from jobs.planning.findings import Findings

FIELD, UNCONFIRMED = "accept_unwell", "unwell-unconfirmed"
# Ids of the disks that are to be used although they are not well.
AcceptUnwell = Annotated[tuple[Annotated[str, Meta(max_length=1024)], ...], Meta(max_length=255)]


def unwell_words(disk: Disk) -> str:
    """What is wrong with it: `8 pending sectors; 2 uncorrectable sectors`. Empty for one that is well."""
    return "; ".join(disk.unwell)


def warn_of_unwell(disk: Disk, field: str, findings: Findings) -> None:
    """Says of a disk that is to be used what is wrong with it. That alone keeps nobody from it."""
    if disk.unwell:
        message = f"{_name(disk)} is not well: {unwell_words(disk)}. Choose another disk if you can."
        findings.warning("disk-unwell", field, message)
    elif disk.health in {"warning", "failing"}:
        findings.warning("disk-unwell", field, f"{_name(disk)} needs attention: its page says why.")


def check_unwell(disks: Iterable[Disk], accepted: Collection[str], findings: Findings) -> None:
    """Refuses those that are not well, unless the request names each of them in `accept_unwell`."""
    for disk in disks:
        if disk.unwell and not {disk.id, *disk.links} & set(accepted):
            message = (
                f"{_name(disk)} is not well: {unwell_words(disk)}. Choose another disk, or give "
                f"“{disk.id}” in the list {FIELD} to use it anyway."
            )
            findings.error(UNCONFIRMED, FIELD, message)


def _name(disk: Disk) -> str:
    where = f"bay {disk.bay}, " if disk.bay else ""
    return f"{disk.id} ({where}{disk.model})"
