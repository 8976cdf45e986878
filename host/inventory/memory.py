"""Swap, and the bounds of ZFS's cache (ARC): what is in use now, and what the next start will use."""

from __future__ import annotations

from typing import Literal

import msgspec

SwapKind = Literal["zram", "raid0", "other", "none"]


class SwapSpace(msgspec.Struct, frozen=True, kw_only=True):
    """A device or file that the kernel swaps to."""

    path: str
    size_bytes: int
    used_bytes: int = 0

    @property
    def in_memory(self) -> bool:
        """It is compressed memory."""
        return self.path.startswith("/dev/zram")


class Swap(msgspec.Struct, frozen=True, kw_only=True):
    """All swap. What is `set` comes at each start; `fstab` are the devices that /etc/fstab names."""

    spaces: tuple[SwapSpace, ...] = ()
    zram_installed: bool = False  # systemd-zram-generator
    zram_set: bool = False
    raid0_set: bool = False  # by the console, on both halves of the boot pair
    fstab: tuple[str, ...] = ()

    @property
    def kind(self) -> SwapKind:
        """What the console made, where it made any; other: somebody else's alone."""
        if self.raid0_set:
            return "raid0"
        if self.zram_set or any(space.in_memory for space in self.spaces):
            return "zram"
        return "other" if self.spaces or self.fstab else "none"


class ArcBounds(msgspec.Struct, frozen=True, kw_only=True):
    """Bytes; 0: ZFS decides."""

    max_bytes: int = 0
    min_bytes: int = 0


class ArcLimit(msgspec.Struct, frozen=True, kw_only=True):
    """`live` is what ZFS does now, with nothing 0 where it is loaded. `kept` is what the console wrote for
    each start; None: it wrote nothing, or `altered`: somebody changed its file. `others` are files that set
    the same by hand."""

    live: ArcBounds | None = None  # None: ZFS is not loaded
    kept: ArcBounds | None = None
    altered: bool = False
    others: tuple[str, ...] = ()
