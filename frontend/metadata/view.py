"""What the page shows of a count: its state, and rows of blocks."""

from __future__ import annotations

import msgspec

from frontend.measured import RunView
from frontend.units import span
from host.blocks.values import Blocks, PoolBlocks
from jobs.wording import grouped

_ENDED = {
    "done": "Counted", "stopped": "Stopped", "failed": "It did not finish", "empty": "Nothing to count",
}  # fmt: skip


class KindRow(msgspec.Struct, frozen=True, kw_only=True):
    """Blocks of one kind."""

    name: str
    count: str
    stored_bytes: int
    allocated_bytes: int


def run_view(run: PoolBlocks) -> RunView:
    """Of the last count."""
    state = (
        _ENDED[run.verdict] if run.verdict is not None else f"Reading block pointers, {run.share:.0%} done"
    )
    if run.verdict is None and run.left_s is not None:
        state += f", about {span(run.left_s)} left"
    blocks = run.metadata.count + run.files.count + run.volumes.count
    return RunView(
        goes_on=run.verdict is None, well=run.verdict == "done", state=state, words=run.words,
        since=run.started_at, counts=f"Blocks: {grouped(blocks)}" if run.verdict == "done" else "",
    )  # fmt: skip


def kinds(run: PoolBlocks) -> tuple[KindRow, ...]:
    """Metadata first; data of volumes only where there is any."""
    found = [_row("Metadata", run.metadata), _row("Data of files", run.files)]
    return (*found, _row("Data of volumes", run.volumes)) if run.volumes.count else tuple(found)


def percent(share: float) -> str:
    """`0.4 %`, and not `0 %` of what is little."""
    return f"{share:.1%}" if share >= 0.001 else "less than 0.1%"


def _row(name: str, blocks: Blocks) -> KindRow:
    return KindRow(
        name=name, count=grouped(blocks.count), stored_bytes=blocks.stored_bytes,
        allocated_bytes=blocks.allocated_bytes,
    )  # fmt: skip
