"""The table of blocks that zdb prints: OpenZFS 2.3.9, of a pool with files of many sizes and a volume."""

from __future__ import annotations

from pathlib import Path

from host.blocks.table import Counted, parse_table
from host.blocks.values import Blocks, SmallBlocks

SAID = (Path(__file__).parents[2] / "transcripts" / "zdb" / "blocks.txt").read_text().splitlines()


def test_data_is_what_is_at_level_0_of_files_and_volumes() -> None:
    found = parse_table(SAID)
    assert found.metadata == Blocks(count=99, stored_bytes=258048, allocated_bytes=1929216)
    assert found.files == Blocks(count=467, stored_bytes=34668032, allocated_bytes=73764864)
    assert found.volumes == Blocks(count=256, stored_bytes=4194304, allocated_bytes=9437184)


def test_small_blocks_are_those_of_files_in_whole_sectors() -> None:
    found = parse_table(SAID).small
    # 400 files of 331 bytes and its multiples; what fits into 112 bytes is in the block pointer.
    assert [(one.up_to_bytes, one.count) for one in found] == [
        (4096, 17), (8192, 30), (16384, 55), (32768, 104), (65536, 203),
    ]  # fmt: skip
    assert found[0] == SmallBlocks(up_to_bytes=4096, count=17, stored_bytes=17 * 4096)


def test_an_object_without_further_levels_has_one_row() -> None:
    """zdb leaves out the row of level 0 that would say the same as that of all."""
    lines = [
        "    12\t 6144\t 6144\t12288\t 1024\t 1.00\t 50.00\tZFS plain file",
        "psize (in 512-byte sectors): number of blocks",
        "\t\t\t  1:      9 *********",
        "\t\t\t  9:      3 ***",
        "    16\t22528\t10240\t20480\t 1280\t 2.20\t100.00\tTotal",
        "\t\t\t  1:      4 ****",
    ]
    found = parse_table(lines)
    assert found.files.count == 12 and found.metadata == Blocks(
        count=4, stored_bytes=4096, allocated_bytes=8192
    )
    assert [(one.count, one.stored_bytes) for one in found.small[:2]] == [(9, 9 * 4096), (12, 15 * 4096)]


def test_without_a_table_nothing_is_known() -> None:
    assert parse_table(["", "Traversing all blocks ...", "\t\t\t  1:      9 ***"]) == Counted()
