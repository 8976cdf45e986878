"""What a burn-in's report says, in sentences."""

from __future__ import annotations

from collections.abc import Iterable

from host.inventory.burn_in import Phase

_NAMED = 3
_DOING: dict[Phase, str] = {"write": "writing", "verify": "reading back"}


def place(offset_bytes: int) -> str:
    """An offset, exact and as people say it."""
    return f"byte {offset_bytes} ({offset_bytes / (1 << 30):.1f} GiB from the start)"


def places(offsets: list[int]) -> str:
    """The first of many."""
    named = ", ".join(place(offset) for offset in offsets[:_NAMED])
    return named if len(offsets) <= _NAMED else f"{named} and {len(offsets) - _NAMED} more places"


def stopped(phase: Phase, percent: float, mismatches: int = 0) -> str:
    """That someone ended it, and where."""
    if phase == "self-test":
        return "It was stopped during the disk's self-test: nothing had been written."
    report = f"It was stopped when {percent:.0f} % of the {_DOING.get(phase, 'work')} was done."
    return (
        f"{report} Until then {_blocks(mismatches)} had read back differently than written."
        if mismatches
        else report
    )


def _blocks(count: int) -> str:
    return "1 block of 4 KiB" if count == 1 else f"{count} blocks of 4 KiB"


def broken_off(phase: Phase, offset_bytes: int, why: str) -> str:
    """That the disk did not carry out a read or a write."""
    return f"{_DOING.get(phase, 'working').capitalize()} at {place(offset_bytes)} failed: {why}."


def differing(blocks: int, first: Iterable[int], misplaced: tuple[int, int] | None) -> str:
    """That blocks read back differently than written; `misplaced`: where a block is, and where it belongs."""
    where = ", ".join(place(offset) for offset in first)
    report = f"{_blocks(blocks)} read back differently than written, first at {where}."
    if misplaced is None:
        return report
    found, belongs = misplaced
    return f"{report} At {place(found)} lies what was written to {place(belongs)}."
