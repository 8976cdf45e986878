"""Disks, and how long something takes, in the words of summaries."""

from __future__ import annotations

from host.inventory import Disk
from jobs.wording import counted, listed


def roughly(seconds: float) -> str:
    """`about 13 hours`, for estimates, in one unit: from two of it on, so that it is never far off."""
    for length, unit in ((86_400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 2 * length:
            return f"about {counted(round(seconds / length), unit)}"
    return "about a minute"


def bays(labels: list[str]) -> str:
    """`bay A3`, `bays A1 and A2`."""
    return f"{'bay' if len(labels) == 1 else 'bays'} {listed(labels)}"


def in_bay(*disks: Disk) -> str:
    """`disk in bay A3`, `disks in bays A1 and A2`; by their serials where not each has a bay."""
    noun = "disk" if len(disks) == 1 else "disks"
    if all(disk.bay for disk in disks):
        return f"{noun} in {bays([disk.bay or '' for disk in disks])}"
    return f"{noun} {listed([disk.serial or disk.model for disk in disks])}"


def named(disk: Disk) -> str:
    """`disk in bay A3 (WD-0003)`; its model where no bay is known."""
    where = f"disk in bay {disk.bay}" if disk.bay else f"disk {disk.model}"
    return f"{where} ({disk.serial})" if disk.serial else where


def erased(*disks: Disk) -> str:
    """The sentence that says which of these disks lose what is on them; empty where all are blank."""
    lost = [disk for disk in disks if not disk.free]
    if not lost:
        return ""
    every = len(lost) == len(disks) > 1
    return f"Everything on {f'these {len(lost)} disks' if every else f'the {in_bay(*lost)}'} is erased."


def sentences(*parts: str) -> str:
    """The first three that there are, as one text: more is not read."""
    return " ".join([part for part in parts if part][:3])
