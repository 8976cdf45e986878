"""The machine runs with an old /var and /home: the pool that holds them was not there at the start."""

from __future__ import annotations

from collections.abc import Iterator

from alerts.incidents.cause import Cause
from alerts.remedy import Remedy
from host.inventory import Inventory

_MEANS = (
    "Jobs, settings, passwords and logs made since then are not visible, and what is done now will not be "
    "visible once the pool is used again."
)


def causes(inventory: Inventory) -> Iterator[Cause]:
    """One while that is so, and while a move could not be made."""
    moved = inventory.moved
    if moved.falls_back:
        since = moved.since or "the day of the move"
        back = any(pool.guid == moved.guid for pool in inventory.pools)
        first = "Restart the machine." if back else f"Put the disks of {moved.pool} back, then restart."
        said = (f"It reported: {moved.said}",) if moved.said else ()
        yield Cause(
            key=f"state:{moved.guid}", kind="state-elsewhere", severity="critical",
            title=f"The system runs with {moved.named} from {since}",
            details=(
                f"They are on the pool {moved.pool}, but {moved.reason or 'this start could not use it'}.",
                *said,
                _MEANS,
            ),
            steps=(
                Remedy(words=first, page="/power/", label="Restart"),
                _page("Or, if the pool is lost, continue with what is on the system disk."),
            ),
            subjects=(f"state:{moved.guid}",),
        )  # fmt: skip
    elif moved.phase == "failed":
        yield Cause(
            key=f"state:{moved.guid}", kind="state-elsewhere", severity="warning",
            title=f"{moved.named} could not be moved to {moved.pool}",
            details=(f"The start reported: {moved.said or 'nothing'}.", "Nothing has changed."),
            steps=(_page("Try again, or keep using the system disk."),),
            subjects=(f"state:{moved.guid}",),
        )  # fmt: skip


def _page(words: str) -> Remedy:
    return Remedy(words=words, page="/boot/state/", label="State of the system")
