"""What each record size would mean for the files of a dataset, and which one suits them. Pure."""

from __future__ import annotations

import msgspec

from host.scan.values import Kind, RecordUse, Scanned
from jobs.wording import grouped

_POINTER = 128  # bytes: a block pointer (blkptr_t, sys/spa.h)
OFFERED = tuple(1 << power for power in range(14, 25))  # 16 KiB to 16 MiB
DEFAULT, PAGES, GUESTS, LARGE = 128 << 10, 16 << 10, 64 << 10, 1 << 20
_MANY = 0.3  # of the bytes: written in place, so they decide
_MOST = 0.8  # of the bytes: in large files that are written once
_LARGE_FILE = 1 << 20
_IN_PLACE: tuple[tuple[Kind, int, str], ...] = (
    ("databases", PAGES, "pages of 8 or 16 KiB"),
    ("disk images", GUESTS, "pieces of 4 to 64 KiB"),
)
_WRITTEN_ONCE: frozenset[Kind] = frozenset({"archives", "music", "pictures", "videos"})


class RecordChoice(msgspec.Struct, frozen=True, kw_only=True):
    """One record size, with the files as they are now written anew.

    `rewrite_bytes`: what a change of a few bytes inside a large file reads and writes again.
    `pointer_bytes`: of the block pointers, before they are compressed. `padding_bytes`: behind the ends of
    files, which any compression removes.
    """

    record_bytes: int
    blocks: int
    pointer_bytes: int
    rewrite_bytes: int
    padding_bytes: int


class RecordAdvice(msgspec.Struct, frozen=True, kw_only=True):
    """The record size to set, and why."""

    record_bytes: int
    reason: str


def choices(scanned: Scanned) -> tuple[RecordChoice, ...]:
    """From 16 KiB to 16 MiB; none before the first file."""
    return tuple(_choice(one, scanned) for one in scanned.records if one.record_bytes in OFFERED)


def _choice(one: RecordUse, scanned: Scanned) -> RecordChoice:
    largest = max((size.up_to_bytes for size in scanned.sizes if size.files), default=0)
    return RecordChoice(
        record_bytes=one.record_bytes, blocks=one.blocks, pointer_bytes=one.blocks * _POINTER,
        rewrite_bytes=min(one.record_bytes, largest), padding_bytes=one.padding_bytes,
    )  # fmt: skip


def advise(scanned: Scanned) -> RecordAdvice | None:
    """By what most of the bytes are; None without files."""
    if not scanned.disk_bytes or not scanned.size_bytes:
        return None
    shares = {one.kind: one.bytes / scanned.disk_bytes for one in scanned.kinds}
    for kind, record, unit in _IN_PLACE:
        share = shares.get(kind, 0.0)
        if share >= _MANY:
            reason = (
                f"{share:.0%} of the space is {kind}, whose programs change {unit} in place. Each change "
                "reads and writes a whole record."
            )
            return RecordAdvice(record_bytes=record, reason=reason)
    large = sum(one.bytes for one in scanned.sizes if one.up_to_bytes > _LARGE_FILE) / scanned.size_bytes
    once = sum(share for kind, share in shares.items() if kind in _WRITTEN_ONCE)
    if large >= _MOST and once >= _MOST:
        reason = (
            f"{large:.0%} of the bytes are in files above 1 MiB, {once:.0%} of the space is of kinds that "
            f"are written once. {_fewer(scanned)}"
        )
        return RecordAdvice(record_bytes=LARGE, reason=reason)
    reason = "Files of many sizes or kinds: the default suits them. A smaller file is one record of its size."
    return RecordAdvice(record_bytes=DEFAULT, reason=reason)


def _fewer(scanned: Scanned) -> str:
    blocks = {one.record_bytes: one.blocks for one in scanned.records}
    few, many = grouped(blocks[LARGE]), grouped(blocks[DEFAULT])
    return f"{few} blocks instead of {many} are less metadata and fewer seeks."
