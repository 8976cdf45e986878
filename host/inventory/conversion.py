"""What is known of the boot loaders, and of a system that moves onto a boot pair."""

from __future__ import annotations

from typing import Literal

import msgspec

ConversionState = Literal["copying", "copied", "restarting", "failed", "stopped"]


class Conversion(msgspec.Struct, frozen=True, kw_only=True):
    """How far the copy of the system has come, as the program that copies reports in its file.

    `restarting`: what was written meanwhile is copied, then the machine starts from the copy. Where the old
    system reports `restarting` and no unit runs, the copy did not start.
    """

    state: ConversionState
    array: str  # UUID of the array that is copied to, as mdadm writes it
    disk: str  # name under /dev/disk/by-id of the second half
    done_bytes: int
    total_bytes: int
    started_at: str  # ISO 8601, UTC
    updated_at: str
    words: str = ""  # why it failed
    running: bool = False  # its unit is there


class BootNotes(msgspec.Struct, frozen=True, kw_only=True):
    """What the programs of the boot pair left behind."""

    loaders: tuple[str, ...] = ()  # serials of the disks that GRUB was written to
    conversion: Conversion | None = None
