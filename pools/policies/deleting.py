"""The step that deletes what policies took, with what each snapshot holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from host.inventory import Inventory, Snapshot
from jobs.plan import Loss, Step
from pools.policies.rules.batches import batches
from pools.sentences import taken_at


def deletion(lost: Mapping[str, Sequence[Snapshot]], inventory: Inventory, why: str) -> Step:
    """Delete `lost` (by dataset), as few commands as can be; `why` ends the title."""
    doomed = [one for dataset in sorted(lost) for one in lost[dataset]]
    names = [dataset.name for dataset in inventory.datasets]
    what = "1 snapshot" if len(doomed) == 1 else f"{len(doomed)} snapshots"
    return Step(
        title=f"Delete {what} {why}",
        commands=batches({dataset: {one.tag for one in ones} for dataset, ones in lost.items()}, names),
        destroys=tuple(
            Loss(snapshot=one.name, holds=_holds(one), size_bytes=one.used_bytes or None) for one in doomed
        ),
    )


def _holds(one: Snapshot) -> str:
    return f"the state of {one.dataset} at {taken_at(one)}"
