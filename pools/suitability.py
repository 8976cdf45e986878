"""Whether disks suit what is made of them: what should be thought over before data is on them.

What cannot be at all is refused elsewhere (`pools.redundancy`, `pools.disk_choice`). Advice and plans both
ask here, so that they warn of the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from host.capacity import block_bytes
from host.inventory import Disk, Inventory
from host.layouts import ImpossibleLayout, draid, kind, parity
from jobs.planning.findings import Findings
from pools.redundancy import Member
from pools.smr import shingled
from pools.unwell import warn_of_unwell

_BLOCK = 128 << 10
_WASTE = 0.06  # of the vdev's space, lost to padding: more is worth a word
# Data sheets of desktop and NAS disks promise less than one unreadable sector in 10^14 bits read: 12.5 TB.
_READABLE_BYTES = 12_500_000_000_000
_BATCH = 3  # as many disks with serials in sequence are no chance
_BATCH_DIGITS = 3  # serials of a batch differ in their last characters only


def check_suitability(
    vdevs: Sequence[Member], inventory: Inventory, findings: Findings, *, ashift: int, spared: bool = False
) -> None:
    """Adds warnings for the vdevs of a pool to be made, or to be added to one that is `spared` or not."""
    for index, vdev in enumerate(vdevs):
        _check_layout(vdev, f"vdevs[{index}]", findings, ashift)
    _check_disks(vdevs, findings)
    _check_media(vdevs, findings)
    _check_batch(vdevs, findings)
    if not spared and not any(map(_is_spare, vdevs)):
        _check_bays(vdevs, inventory, findings)


def _check_layout(vdev: Member, field: str, findings: Findings, ashift: int) -> None:
    _, layout, disks = vdev
    if kind(layout) not in {"raidz", "draid"} or len(disks) <= parity(layout) + 1:
        return
    read = (len(disks) - 1) * min(disk.size_bytes for disk in disks)
    if parity(layout) == 1 and read >= _READABLE_BYTES and any(disk.medium == "hdd" for disk in disks):
        message = (
            f"A rebuild reads {read / 1e12:.0f} TB from disks that have no redundancy left at that time; "
            "manufacturers promise 12.5 TB without an unreadable sector. With two parity disks nothing is "
            "lost then: choose raidz2."
        )
        findings.warning("raidz1-large-disks", f"{field}.layout", message)
    if kind(layout) == "raidz" and (waste := _padding(layout, len(disks), ashift)) > _WASTE:
        message = (
            f"{len(disks)} disks in {layout} lose {100 * waste:.0f} % of their space to padding, because "
            f"records do not divide evenly among {len(disks) - parity(layout)} data disks. Another number "
            "of disks wastes less."
        )
        findings.warning("width-wastes-space", f"{field}.disks", message)


def _padding(layout: str, disks: int, ashift: int) -> float:
    """The share of a RAIDZ's space that padding takes, for records of 128 KiB."""
    return 1 - (_BLOCK / block_bytes(_BLOCK, layout, disks, ashift=ashift)) / (1 - parity(layout) / disks)


def _check_disks(vdevs: Sequence[Member], findings: Findings) -> None:
    for index, (_, _, disks) in enumerate(vdevs):
        for place, disk in enumerate(disks):
            field = f"vdevs[{index}].disks[{place}]"
            if shingled(disk.model):
                message = (
                    f"{_name(disk)} is a shingled disk (SMR): long writes slow to a crawl, and a rebuild "
                    "may take days or fail. Keep such disks out of pools with redundancy."
                )
                findings.warning("smr-disk", field, message)
            warn_of_unwell(disk, field, findings)
            if disk.transport == "usb":
                message = f"{_name(disk)} is on USB, where disks can drop out under load and change names."
                findings.warning("usb-disk", field, message)


def _check_media(vdevs: Sequence[Member], findings: Findings) -> None:
    media = Counter(disk.medium for role, _, disks in vdevs if role == "data" for disk in disks)
    if len(media) > 1 and "hdd" in media:
        message = (
            "Hard disks and SSDs in one pool's data: it is as slow as the hard disks. Use separate pools."
        )
        findings.warning("mixed-media", "vdevs", message)


def _check_batch(vdevs: Sequence[Member], findings: Findings) -> None:
    disks = [disk for role, _, members in vdevs if role == "data" for disk in members]
    if len(disks) >= _BATCH and one_batch(disks):
        message = (
            f"All data disks are {disks[0].model} with serials in sequence: one batch that ages alike, so "
            "several may fail within days of each other. Mix in disks bought elsewhere, or keep a spare "
            "and a backup."
        )
        findings.warning("one-batch", "vdevs", message)


def one_batch(disks: Sequence[Disk]) -> bool:
    """Whether all are of one model, with serials that differ in their last characters only."""
    serials = [disk.serial or "" for disk in disks]
    if len({disk.model for disk in disks}) > 1 or len({len(serial) for serial in serials}) > 1:
        return False
    begins = {serial[:-_BATCH_DIGITS] for serial in serials}
    return len(begins) == 1 and len(begins.pop()) >= _BATCH_DIGITS and all(map(_counts, serials))


def _counts(serial: str) -> bool:
    return re.fullmatch(r"[0-9A-Za-z]+", serial[-_BATCH_DIGITS:]) is not None


def _check_bays(vdevs: Sequence[Member], inventory: Inventory, findings: Findings) -> None:
    """There is room for a new disk in a bay that is empty, or whose disk nothing uses, this pool included."""
    taken = {disk.id for _, _, disks in vdevs for disk in disks}
    if not any(bay.disk in taken for bay in inventory.bays):
        return
    unused = {disk.id for disk in inventory.disks if disk.free} - taken
    if all(bay.disk is not None and bay.disk not in unused for bay in inventory.bays):
        message = (
            "Every bay is taken: a failing disk must be removed before its replacement can go in, so the "
            "rebuild cannot use what it could still read. A free bay, or a spare, avoids that."
        )
        findings.warning("no-spare-bay", "vdevs", message)


def _is_spare(vdev: Member) -> bool:
    """A spare, or a dRAID that has some spread over it."""
    role, layout, disks = vdev
    if kind(layout) != "draid":
        return role == "spare"
    with suppress(ImpossibleLayout):  # told elsewhere
        return draid(layout, len(disks)).spares > 0
    return False


def _name(disk: Disk) -> str:
    where = f"bay {disk.bay}, " if disk.bay else ""
    return f"{disk.id} ({where}{disk.model})"
