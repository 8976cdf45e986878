"""What the page shows of an estimate: its state, and rows of blocks and of tables."""

from __future__ import annotations

import msgspec

from frontend.measured import RunView
from frontend.units import span
from host.dedup.values import DedupEstimate, References
from host.inventory import Inventory
from jobs.wording import grouped
from pools.dedup.advise import MOST_OF_MEMORY, TableSize

_ENDED = {
    "done": "Counted", "stopped": "Stopped", "failed": "It did not finish", "empty": "Nothing to count",
}  # fmt: skip
_KINDS = {"classic": "Classic table", "fast": "Fast dedup (OpenZFS 2.3)"}
_MOST_NAMED = 12
_DATA = {"today": "today's data", "twice": "twice the data"}


class BlockRow(msgspec.Struct, frozen=True, kw_only=True):
    """Blocks that are there about equally often."""

    references: str
    blocks: str
    size_bytes: int
    referenced_bytes: int


class TableRow(msgspec.Struct, frozen=True, kw_only=True):
    """A table of one kind. `large`: it takes more of the memory than it should."""

    name: str
    entries: str
    memory_bytes: int
    memory: str
    disk_bytes: int
    large: bool


def run_view(run: DedupEstimate) -> RunView:
    """Of the last estimate."""
    state = (
        _ENDED[run.verdict] if run.verdict is not None else f"Reading block pointers, {run.share:.0%} done"
    )
    if run.verdict is None and run.left_s is not None:
        state += f", about {span(run.left_s)} left"
    return RunView(
        goes_on=run.verdict is None, well=run.verdict == "done", state=state, words=run.words,
        since=run.started_at, counts=f"{grouped(run.different_blocks)} different blocks",
    )  # fmt: skip


def blocks(rows: tuple[References, ...]) -> tuple[BlockRow, ...]:
    """Fewest references first."""
    return tuple(
        BlockRow(
            references=_times(row.references),
            blocks=grouped(row.blocks),
            size_bytes=row.size_bytes,
            referenced_bytes=row.referenced_bytes,
        )
        for row in rows
    )


def tables(found: tuple[TableSize, ...], memory_bytes: int) -> tuple[TableRow, ...]:
    """Each kind with today's data and with twice as much."""
    return tuple(
        TableRow(
            name=f"{_KINDS[one.kind]}, {_DATA[one.data]}", entries=grouped(one.entries),
            memory_bytes=one.memory_bytes, memory=f"{one.memory_bytes / memory_bytes:.0%}",
            disk_bytes=one.disk_bytes, large=one.memory_bytes > MOST_OF_MEMORY * memory_bytes,
        )
        for one in found
    )  # fmt: skip


def _times(references: int) -> str:
    if references <= 2:
        return "once" if references == 1 else "2 or 3 times"
    return f"{grouped(references)} to {grouped(2 * references - 1)} times"


def deduplicated(pool: str, inventory: Inventory) -> tuple[str, ...]:
    """The datasets that can be written anew without it: what is written to the others has their setting."""
    names = [
        one.name
        for one in inventory.datasets
        if one.pool == pool and one.parent is not None and one.value("dedup") not in {None, "off"}
    ]
    return tuple(name for name in names if name.rpartition("/")[0] not in names)[:_MOST_NAMED]
