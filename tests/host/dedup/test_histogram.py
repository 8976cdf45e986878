"""zdb's and zpool's histograms are read as they were printed by OpenZFS 2.3.9."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.dedup.histogram import parse_rows, parse_table

SAID = Path(__file__).parents[2] / "transcripts" / "zdb"
MIB = 1 << 20


def test_the_histogram_of_a_simulation() -> None:
    once, twice = parse_rows((SAID / "simulated.txt").read_text())
    assert (once.references, once.blocks, once.size_bytes) == (1, 42, round(5.18 * MIB))
    assert (twice.references, twice.blocks, twice.referenced_blocks) == (2, 612, round(1.49 * 1024))
    assert twice.referenced_bytes == 191 * MIB


def test_the_table_of_a_pool() -> None:
    table = parse_table((SAID / "table.txt").read_text())
    assert table is not None
    assert (table.entries, table.disk_bytes, table.memory_bytes) == (309, 215040, 173344)
    assert [row.blocks for row in table.rows] == [1, 306]


@pytest.mark.parametrize(
    "text",
    ["", " dedup: no DDT entries\n", "1 2 3 4 5 6 7 8\n", "1 2 3 4 5 6 7 8 x\n", f"{'9' * 5000}" + " 1" * 8],
)
def test_what_is_no_histogram_has_no_rows(text: str) -> None:
    assert parse_rows(text) == () and parse_table(text) is None
