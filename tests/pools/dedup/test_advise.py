"""Whether deduplication is worth it: by what it saves and what its table takes."""

from __future__ import annotations

import pytest

from host.dedup.values import References
from pools.dedup.advise import advise, ratio, tables

GIB = 1 << 30
RECORD = 131072


def rows(once: int, twice: int) -> tuple[References, ...]:
    """So many blocks that are there once, and so many that are there two times."""
    return (
        References(
            references=1, blocks=once, size_bytes=once * RECORD, referenced_blocks=once,
            referenced_bytes=once * RECORD,
        ),
        References(
            references=2, blocks=twice, size_bytes=twice * RECORD, referenced_blocks=2 * twice,
            referenced_bytes=2 * twice * RECORD,
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("found", "memory", "worth", "why"),
    [
        (rows(900_000, 50_000), 64 * GIB, False, "save 5% of the space. Below 20%"),
        (
            rows(100_000, 900_000),
            64 * GIB,
            True,
            "save 47% of the space, and its table takes",
        ),
        (rows(2_000_000, 18_000_000), 8 * GIB, False, "save 47% of the space, but its table would take"),
    ],
)
def test_the_rule(found: tuple[References, ...], memory: int, worth: bool, why: str) -> None:
    advice = advise(found, memory, fast=False)
    assert advice is not None
    assert advice.worth_it is worth and why in advice.reason


def test_what_is_shared_already_is_not_saved_again() -> None:
    found = rows(100_000, 900_000)
    everything = 900_000 * RECORD
    advice = advise(found, 64 * GIB, fast=False, shared_bytes=everything)
    assert advice is not None
    assert (advice.worth_it, advice.saved_bytes, advice.saved_share) == (False, 0, 0.0)
    assert advice.reason.startswith("Blocks are shared already, by clones or deduplication")
    half = advise(found, 64 * GIB, fast=False, shared_bytes=everything // 2)
    assert half is not None and half.worth_it
    assert (half.saved_bytes, round(half.saved_share, 2)) == (everything // 2, round(45 / 145, 2))


def test_nothing_is_said_of_nothing() -> None:
    assert advise((), GIB, fast=True) is None and tables(()) == () and ratio(()) == 1.0


def test_the_ratio_and_the_tables() -> None:
    found = rows(100, 100)
    assert ratio(found) == 1.5
    sizes = {(one.kind, one.data): one for one in tables(found)}
    assert sizes["fast", "today"].entries == 200 and sizes["fast", "twice"].entries == 400
    assert sizes["fast", "twice"].memory_bytes == 2 * sizes["fast", "today"].memory_bytes
    assert sizes["classic", "today"].memory_bytes == 200 * 164
