"""OpenZFS's own rule for what it stores of a block."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

import lz4.block
import pytest

from host.compression import codecs, zle
from host.compression import lz4 as openzfs_lz4
from host.compression.codecs import Codecs
from host.compression.stored import block_bytes, most, stored

K = 1 << 10
kept = partial(stored, ashift=12, embeds=True)


@pytest.mark.parametrize(
    ("block", "packed", "takes"),
    [
        (128 * K, 113 * K, 128 * K),  # less than an eighth is saved
        (128 * K, 112 * K, 112 * K),  # just an eighth
        (128 * K, 50 * K + 1, 52 * K),  # whole sectors
        (128 * K, None, 128 * K),
        (128 * K, 112, 0),  # in the pointer
        (128 * K, 113, 4 * K),
        (4 * K, 1 * K, 4 * K),  # a sector is a sector
        (512, 400, 4 * K),
        (512, 100, 0),
    ],
)
def test_a_block_is_stored_compressed_only_if_it_saves_an_eighth_in_whole_sectors(
    block: int, packed: int | None, takes: int
) -> None:
    assert kept(block, packed) == takes


def test_of_an_encrypted_dataset_nothing_is_kept_in_pointers() -> None:
    assert stored(128 * K, 100, ashift=12, embeds=False) == 4 * K


def test_a_small_file_is_one_block_of_its_own_size() -> None:
    sizes = [block_bytes(size, 128 * K) for size in (1, 512, 513, 128 * K, 128 * K + 1)]
    assert sizes == [512, 512, 1024, 128 * K, 128 * K]


def _text(size: int, seed: int = 7) -> bytes:
    chance = random.Random(seed)
    words = [bytes(chance.choices(b"etaoinshrdlu", k=chance.randint(1, 9))) for _ in range(3000)]
    return b" ".join(chance.choices(words, k=size // 4))[:size]


def test_the_counted_lz4_is_as_long_as_what_liblz4_writes_of_simple_blocks() -> None:
    """Both parse these alike: one literal run, or one match that goes on."""
    noise = random.Random(1).randbytes(8 * K)
    for block in (b"", b"a", noise[:12], noise[:100], bytes(512), bytes(128 * K), b"ab" * 4096):
        assert openzfs_lz4.size(block, 1 << 30) == len(lz4.block.compress(block, store_size=False))


def test_the_counted_lz4_stays_the_parse_that_was_compared() -> None:
    """Sizes that a second implementation of the parse, in C, makes of these blocks; liblz4's are others."""
    sizes = [openzfs_lz4.size(_text(size), 1 << 30) for size in (4 * K, 64 * K, 128 * K)]
    assert sizes == [3700, 41673, 87336]


def test_lz4_gives_up_where_it_saves_too_little() -> None:
    block = random.Random(2).randbytes(128 * K)
    assert openzfs_lz4.size(block, most(len(block))) is None


@pytest.mark.parametrize(
    ("block", "size"),
    [
        (bytes(192), 1),
        (bytes(193), 2),
        (b"a" * 64, 65),
        (b"a" * 65, 67),
        (b"a\0b" + bytes(2), 5),  # a single zero is a literal
        (b"a" * 63 + b"\0", 65),
    ],
)
def test_zle_counts_runs_of_zeros(block: bytes, size: int) -> None:
    assert zle.size(block, 1 << 20) == size


def test_each_choice_of_openzfs_is_measured_in_its_name() -> None:
    found = Codecs(lambda: 0.0).each(_text(16 * K), lambda: False)
    assert found is not None
    assert tuple(found) == codecs.NAMES
    sizes = {name: one.packed_bytes or 0 for name, one in found.items()}
    assert sizes["off"] == 0
    assert 0 < sizes["zstd-19"] < sizes["zstd-1"] < sizes["lz4"] < 16 * K
    assert sizes["gzip-9"] <= sizes["gzip-1"]


def test_zstd_is_not_tried_where_lz4_and_its_first_level_save_too_little() -> None:
    found = Codecs(lambda: 1.0).each(random.Random(3).randbytes(128 * K), lambda: False)
    assert found is not None
    assert {one.packed_bytes for one in found.values()} == {None}


def test_somebody_who_asks_for_the_end_is_heard_between_two_compressions() -> None:
    asked = iter([False, False, True])
    assert Codecs(lambda: 0.0).each(_text(4 * K), lambda: next(asked)) is None


@pytest.mark.parametrize("name", ["zstd-13", "zstd-19", "gzip-9"])
def test_a_large_block_is_compressed_in_pieces_and_comes_out_as_long(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = _text(256 * K)
    whole = _only(name, block, monkeypatch, lambda: False)
    monkeypatch.setattr(codecs, "_PIECE_BYTES", 64 * K)
    pieces = _only(name, block, monkeypatch, lambda: False)
    assert whole is not None and pieces is not None
    assert abs(pieces / whole - 1) < 0.001
    # Once before each of the three names, and the end comes after the second of four pieces.
    asked = iter([False] * 4 + [True])
    assert _only(name, block, monkeypatch, lambda: next(asked)) is None


def _only(name: str, block: bytes, monkeypatch: pytest.MonkeyPatch, asked: Callable[[], bool]) -> int | None:
    """The bytes of a block by one compression and by those that decide whether it is tried."""
    monkeypatch.setattr(codecs, "NAMES", ("lz4", "zstd-1", name))
    found = Codecs(lambda: 0.0).each(block, asked)
    return None if found is None else found[name].packed_bytes
