"""Writing and verifying a disk that is a file."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from host.programs.passes import BrokenOff, Differences, Meter, verify_pass, write_pass
from host.programs.pattern import BLOCK, CHUNK, Pattern
from tests.host.programs.bench import MIB, clock, open_disk

SIZE = 2 * CHUNK + 3 * MIB + 512  # no whole number of chunks, nor of blocks


@pytest.fixture
def disk() -> Iterator[int]:
    yield from open_disk(SIZE)


@pytest.fixture
def written(disk: int) -> int:
    write_pass(disk, SIZE, Pattern(b"seed"), lambda done: None)
    return disk


def verify(disk: int, *, seed: bytes = b"seed", size: int = SIZE) -> Differences:
    found = Differences()
    verify_pass(disk, size, Pattern(seed), found, lambda done: None)
    return found


def test_what_was_written_reads_back_up_to_the_last_byte(written: int) -> None:
    assert verify(written) == Differences()
    assert os.fstat(written).st_size == SIZE


def test_progress_is_reported_after_every_chunk(disk: int) -> None:
    report: list[int] = []
    write_pass(disk, SIZE, Pattern(b"seed"), report.append)
    verify_pass(disk, SIZE, Pattern(b"seed"), Differences(), report.append)
    assert report == [CHUNK, 2 * CHUNK, SIZE] * 2


@pytest.mark.parametrize("offset", [0, BLOCK - 1, CHUNK + 5 * BLOCK + 77, SIZE - 1])
def test_a_single_changed_byte_is_found(written: int, offset: int) -> None:
    was = os.pread(written, 1, offset)
    os.pwrite(written, bytes([was[0] ^ 1]), offset)
    found = verify(written)
    assert (found.blocks, found.first, found.misplaced) == (1, [offset // BLOCK * BLOCK], None)


def test_a_block_that_was_written_to_another_place_is_reported(written: int) -> None:
    wanted, hit = CHUNK + 3 * BLOCK, 7 * BLOCK
    os.pwrite(written, os.pread(written, BLOCK, wanted), hit)
    assert verify(written) == Differences(blocks=1, first=[hit], misplaced=(hit, wanted))


@pytest.mark.parametrize("sector", range(8))
def test_even_one_sector_of_another_chunk_is_noticed(written: int, sector: int) -> None:
    # At the same place of the next chunk: only the first sector of a block has a stamp.
    offset = 9 * BLOCK + 512 * sector
    os.pwrite(written, os.pread(written, 512, CHUNK + offset), offset)
    assert verify(written).blocks == 1


def reads_as_ahdi(sector: bytes) -> bool:
    """Linux's rule for the Atari's partition table, which has no magic number (block/partitions/atari.c)."""
    entries = (sector[0x1C6 + 12 * slot :][:4] for slot in range(4))
    return any(flag & 1 and bytes(name).decode("latin-1").isalnum() for flag, *name in entries)


def test_what_is_written_is_never_taken_for_a_partition_table() -> None:
    assert reads_as_ahdi(bytes(0x1C6) + b"\1GEM" + bytes(54))
    first = bytearray(BLOCK)
    for number in range(20):
        Pattern(b"%d" % number).fill(memoryview(first), 0)
        assert not reads_as_ahdi(bytes(first[:512]))
        assert first[16:] == bytes(BLOCK - 16)


def test_what_an_earlier_burn_in_left_does_not_pass(written: int) -> None:
    found = verify(written, seed=b"another")
    assert found.blocks == -(-SIZE // BLOCK)
    assert found.first == [0, BLOCK, 2 * BLOCK]
    assert found.misplaced is None


def test_a_disk_that_wraps_around_is_found_out(written: int) -> None:
    # As flash drives do that claim more than they have: the last write to a cell wins.
    os.pwrite(written, os.pread(written, CHUNK, CHUNK), 0)
    found = verify(written)
    assert (found.blocks, found.misplaced) == (CHUNK // BLOCK, (0, CHUNK))


def test_a_disk_that_is_shorter_than_it_says_ends_the_pass(written: int) -> None:
    with pytest.raises(BrokenOff, match="The disk ends here") as broken:
        verify(written, size=SIZE + MIB)
    assert broken.value.offset_bytes == SIZE


def test_a_write_that_fails_says_where_and_why() -> None:
    full = os.open("/dev/full", os.O_RDWR)
    try:
        with pytest.raises(BrokenOff, match="No space left on device") as broken:
            write_pass(full, SIZE, Pattern(b"seed"), lambda done: None)
    finally:
        os.close(full)
    assert broken.value.offset_bytes == 0


def test_a_pass_ends_with_what_is_raised_in_its_middle(disk: int) -> None:
    def stop(done: int) -> None:
        if done > CHUNK:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pass(disk, SIZE, Pattern(b"seed"), stop)
    assert os.pread(disk, BLOCK, 2 * CHUNK) == bytes(BLOCK)


def test_the_curve_has_two_hundred_points_and_each_the_speed_of_its_stretch() -> None:
    size = 1000 * CHUNK
    meter = Meter(size, clock(step=2.0))
    for done in range(CHUNK, size + 1, CHUNK):
        meter.passed(done)
    assert len(meter.points) == 200
    assert {point.bytes_per_second for point in meter.points} == {5 * CHUNK // 2}
    assert [point.offset_bytes for point in meter.points[:3]] == [0, 5 * CHUNK, 10 * CHUNK]


def test_the_curve_of_a_small_disk_has_a_point_for_every_chunk() -> None:
    meter = Meter(3 * CHUNK, clock())
    for done in (CHUNK, 2 * CHUNK, 3 * CHUNK):
        meter.passed(done)
    assert len(meter.points) == 3


def test_the_pattern_differs_all_over_from_chunk_to_chunk() -> None:
    pattern, one, other = Pattern(b"seed"), bytearray(CHUNK), bytearray(CHUNK)
    pattern.fill(memoryview(one), 0)
    pattern.fill(memoryview(other), CHUNK)
    same = [start for start in range(0, CHUNK, 512) if one[start : start + 512] == other[start : start + 512]]
    assert same == []
    assert pattern.belongs(memoryview(other)[BLOCK : 2 * BLOCK]) == CHUNK + BLOCK
    assert pattern.belongs(memoryview(bytes(BLOCK))) is None
