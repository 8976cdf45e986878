"""A sample of each kind of block stands for all of its kind."""

from __future__ import annotations

import math

import pytest

from host.compression.codecs import NAMES, Timed
from host.compression.tally import Tally
from host.compression.values import CompressionFigures

K = 1 << 10


def packed(size: int) -> dict[str, Timed]:
    return dict.fromkeys(NAMES, Timed(packed_bytes=size, in_s=1.0, out_s=1.0))


def of_offered(**blocks: int) -> Tally:
    tally = Tally(ashift=12, embeds=False)
    for kind, count in blocks.items():
        tally.offer(count, kind)
    return tally


def of_lz4(tally: Tally) -> CompressionFigures:
    return next(one for one in tally.choices() if one.name == "lz4")


def test_what_is_a_fifth_of_the_sample_and_half_of_the_dataset_counts_for_half() -> None:
    tally = of_offered(part=10, file=10)
    tally.add(16 * K, packed(4 * K), "part")
    for _ in range(4):
        tally.add(16 * K, packed(8 * K), "file")
    lz4 = of_lz4(tally)
    assert (tally.logical_bytes, lz4.stored_bytes, lz4.raw_blocks) == (80 * K, 30 * K, 0)
    assert lz4.margin_percent is None  # one block of ten says nothing of how much they differ
    assert lz4.in_s == pytest.approx(5.0)


def test_holes_of_a_sample_stand_for_others() -> None:
    tally = of_offered(part=8, file=4)
    tally.add(16 * K, packed(4 * K), "part")
    tally.add_hole("part")  # as half of its kind
    for _ in range(4):
        tally.add(16 * K, packed(12 * K), "file")
    assert of_lz4(tally).stored_bytes == 80 * K * 8 // 16


def test_the_margin_is_of_what_was_left_out_alone() -> None:
    tally = of_offered(part=4, file=10)
    for _ in range(4):
        tally.add(16 * K, packed(4 * K), "part")
    tally.add(16 * K, packed(4 * K), "file")
    tally.add(16 * K, packed(8 * K), "file")
    # 10 blocks of which 2 were seen, whose variance is (4 KiB)² / 2; four are known.
    deviation = math.sqrt(10**2 * (1 - 2 / 10) * (4 * K) ** 2 / 2 / 2)
    assert of_lz4(tally).margin_percent == pytest.approx(100 * 1.96 * deviation / (76 * K), abs=0.01)


def test_a_sample_of_no_known_number_is_one_of_many() -> None:
    tally = Tally(ashift=12, embeds=False)
    tally.add(16 * K, packed(4 * K))
    assert of_lz4(tally).margin_percent is None
    tally.add(16 * K, packed(8 * K))
    # 12 KiB are stored, give or take 4.
    assert of_lz4(tally).margin_percent == pytest.approx(100 * 1.96 * 4 / 12, abs=0.01)
