"""What was measured of a dataset's compression, and how far a run has come."""

from __future__ import annotations

from typing import Literal

import msgspec

Phase = Literal["listing", "waiting", "compressing", "done"]
Verdict = Literal["done", "empty", "failed", "stopped"]


class CompressionFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One value of `compression`, over as many blocks and bytes as were measured: of small files and of the
    blocks of large ones in the share that they have of the dataset, however many of each are in the sample.

    Seconds are of one core; None where they say nothing about OpenZFS. `margin_percent`: with 95 % certainty
    the whole dataset is within so many percent of the sample, where its blocks are as likely as any others.
    """

    name: str
    stored_bytes: int
    raw_blocks: int = 0  # stored as they are
    in_s: float | None = None  # to compress all of them
    out_s: float | None = None  # to read back those that were stored compressed
    margin_percent: float | None = None


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """How far a measurement has come, or its outcome. `verdict` is None while it goes on."""

    run: str
    dataset: str
    snapshot: str  # its tag
    record_bytes: int
    ashift: int
    started_at: str  # ISO 8601, UTC
    updated_at: str
    finished_at: str | None = None
    verdict: Verdict | None = None
    words: str = ""
    phase: Phase = "listing"
    left_s: int | None = None
    files: int = 0  # that were found
    whole: bool = True  # all files of the snapshot were found; else as many as there was time for
    unread: int = 0  # blocks of the sample that could not be read
    blocks: int = 0  # of the sample
    measured_blocks: int = 0
    empty_blocks: int = 0  # holes, which take no space whatever the compression
    logical_bytes: int = 0  # of those that were measured and are not empty
    cores: int = 1
    choices: tuple[CompressionFigures, ...] = ()
