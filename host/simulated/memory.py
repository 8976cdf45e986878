"""What uses a simulated machine's memory: compressed swap, and ZFS's cache."""

from __future__ import annotations

import msgspec

from host.contents.arc import LEAST_MAX_BYTES, LEAST_MIN_BYTES, default_max, default_min
from host.inventory.memory import ArcBounds


class MemoryState(msgspec.Struct, kw_only=True):
    """`taken` are the bounds that ZFS took, 0 where it decides; `asked` what its parameters say."""

    zram_installed: bool = True
    zram_used: bool = False
    taken: ArcBounds = ArcBounds()
    asked: ArcBounds = ArcBounds()

    def bounds(self, memory_bytes: int) -> ArcBounds:
        """Those that hold now."""
        return ArcBounds(
            max_bytes=self.taken.max_bytes or default_max(memory_bytes),
            min_bytes=self.taken.min_bytes or default_min(memory_bytes),
        )

    def ask(self, asked: ArcBounds, memory_bytes: int) -> None:
        """Set the parameters; as ZFS does, the bounds follow them where they can be, and else stay.

        See arc_tuning_update() of module/zfs/arc.c: the minimum is taken first.
        """
        self.asked = asked
        now = self.bounds(memory_bytes)
        if LEAST_MIN_BYTES <= asked.min_bytes <= now.max_bytes:
            self.taken = msgspec.structs.replace(self.taken, min_bytes=asked.min_bytes)
        least = self.bounds(memory_bytes).min_bytes
        if max(LEAST_MAX_BYTES, least + 1) <= asked.max_bytes < memory_bytes:
            self.taken = msgspec.structs.replace(self.taken, max_bytes=asked.max_bytes)

    def load(self, kept: ArcBounds, memory_bytes: int) -> None:
        """Load the module with what a file says."""
        self.taken = ArcBounds()
        self.ask(kept, memory_bytes)
