"""A large block that is freed leaves no gap for the next one to be taken from."""

from __future__ import annotations

import ctypes

from host.system.malloc import return_large_blocks

FIELDS = (
    "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
)  # fmt: skip


class Figures(ctypes.Structure):
    """As in malloc.h."""

    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS]


def test_a_large_block_comes_from_the_kernel_even_after_a_larger_one_was_freed() -> None:
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = Figures
    return_large_blocks()
    larger = bytes(31 << 20)
    del larger
    before = library.mallinfo2().hblkhd
    block = bytes(30 << 20)  # more than lies free in any heap
    assert library.mallinfo2().hblkhd - before >= len(block)
