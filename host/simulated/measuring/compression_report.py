"""What a measurement of compression reports on a simulated machine: sizes are those that the real
compressions make of the beginning of some of its files, speeds are those of a small processor.
"""

from __future__ import annotations

from functools import cache
from itertools import islice

import msgspec

from host.compression.codecs import NAMES, Codecs, Timed
from host.compression.measuring import EMPTY, begun
from host.compression.stored import block_bytes
from host.compression.tally import Tally
from host.compression.values import Measured
from host.simulated.datasets.file_tree import content
from host.simulated.state import FileState

LASTS_S = 60.0
_LISTING_S = 5.0
_CORES = 4
_MOST_FILES, _MOST_BYTES = 3, 16 << 10  # that are compressed
_FAST_MB, _OUT_MB = {"lz4": 620.0, "zstd-fast-1": 480.0}, {"lz4": 2400.0, "gzip": 330.0, "zstd": 950.0}


def report(
    files: list[FileState], passed_s: float, *, over: bool, record_bytes: int, ashift: int, embeds: bool
) -> Measured:
    """So many seconds after its start, without what it is called; `over`: it goes on no more."""
    found = msgspec.structs.replace(begun(""), record_bytes=record_bytes, ashift=ashift, cores=_CORES)
    if passed_s < _LISTING_S and not over:
        return found
    share = min(1.0, max(0.0, (passed_s - _LISTING_S) / (LASTS_S - _LISTING_S)))
    tally = Tally(ashift=ashift, embeds=embeds)
    if share:
        for one in islice(files, _MOST_FILES):
            size = min(_MOST_BYTES, block_bytes(one.size, record_bytes))
            tally.add(size, _timed(content(one)[:size].ljust(size, b"\0")))
    found = msgspec.structs.replace(
        found, files=len(files), blocks=min(len(files), _MOST_FILES), phase="compressing",
        left_s=round(LASTS_S - passed_s), logical_bytes=tally.logical_bytes, choices=tally.choices(),
        measured_blocks=tally.blocks,
    )  # fmt: skip
    if over and not tally.blocks:
        return msgspec.structs.replace(found, verdict="empty", words=EMPTY)
    return found


@cache
def _timed(block: bytes) -> dict[str, Timed]:
    """By the real compressions, with the speeds of the simulated processor."""
    found = Codecs(lambda: 0.0).each(block, lambda: False) or {}
    return {name: _at_speed(name, len(block), found[name]) for name in NAMES}


def _at_speed(name: str, size: int, one: Timed) -> Timed:
    if one.in_s is None or name == "off":
        return one
    kind, _, level = name.rpartition("-")
    packing = _FAST_MB.get(name) or (90.0 if kind == "gzip" else 420.0) / int(level) ** 1.6
    reading = _OUT_MB[(kind or name).partition("-")[0]]
    out_s = 0.0 if one.packed_bytes is None else size / (reading * 1e6)
    return Timed(packed_bytes=one.packed_bytes, in_s=size / (packing * 1e6), out_s=out_s)
