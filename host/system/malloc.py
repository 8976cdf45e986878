"""How glibc's allocator treats large blocks in a process with threads."""

from __future__ import annotations

import ctypes

# From malloc.h, and glibc's own first value.
_MMAP_THRESHOLD, _LARGE = -3, 128 << 10


def return_large_blocks() -> None:
    """Have every block of 128 KiB or more given back to the kernel as soon as it is freed.

    glibc raises that limit with each large block that is freed (mallopt(3), "dynamic mmap threshold"), up to
    32 MiB, and then takes such blocks from an arena of the thread: answers of some megabytes, read in many
    threads, left a hundred megabytes of gaps behind. Another C library has no such function, and needs none.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_MMAP_THRESHOLD, _LARGE)
