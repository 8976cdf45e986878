"""The operations on snapshots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Data, Link, Losses, Wording, at, counted
from pools.links import snapshots_href
from pools.snapshots import clone, destroy_snapshots, hold, release, rename_snapshot, rollback, take_snapshot


def _several(done: str) -> Callable[[Data], str | None]:
    """One by its name, several by their number; a range is one too, whose number the plan knows."""

    def title(data: Data) -> str | None:
        named = data.get("snapshots")
        if not isinstance(named, list) or not named:
            return None
        if len(named) == 1 and "%" not in str(named[0]):
            return f"{done} {named[0]}"
        many = any("%" in str(one) for one in named)
        return f"{done} {'snapshots' if many else counted(len(named), 'snapshot')}"

    return title


def _first(data: Data, field: str) -> str:
    named = data.get(field)
    return str(named[0]) if isinstance(named, list) and named else ""


def _of_snapshots(data: Data) -> Link:
    first = _first(data, "snapshots") or str(data.get("snapshot", ""))
    return Link("Snapshots", snapshots_href(first.partition("@")[0]))


def _of_datasets(data: Data) -> Link:
    return Link("Snapshots", snapshots_href(_first(data, "datasets")))


def _destroy_button(_data: Data, losses: Losses) -> str:
    return f"Destroy {counted(len(losses), 'snapshot')}"


def _rollback_button(_data: Data, losses: Losses) -> str:
    younger = sum("snapshot" in loss for loss in losses)
    return "Roll back" + (f", destroy {counted(younger, 'snapshot')}" if younger else "")


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="snapshot.create",
        request=take_snapshot.TakeSnapshot,
        plan=take_snapshot.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=take_snapshot.needs,
        wording=Wording(title="Take snapshot {name}", page=_of_datasets),
    ),
    Operation(
        name="snapshot.destroy",
        request=destroy_snapshots.DestroySnapshots,
        plan=destroy_snapshots.plan,
        scope="pools:write",
        effect="destroys",
        facts=frozenset({Family.POOLS}),
        needs=destroy_snapshots.needs,
        wording=Wording(title=_several("Destroy"), page=_of_snapshots, button=_destroy_button),
    ),
    Operation(
        name="snapshot.hold",
        request=hold.HoldSnapshots,
        plan=hold.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=hold.needs,
        remember=hold.remember,
        wording=Wording(title=_several("Hold"), page=_of_snapshots),
    ),
    Operation(
        name="snapshot.release",
        request=release.ReleaseSnapshots,
        plan=release.plan,
        scope="pools:write",
        effect="destroys",  # the last hold of a snapshot that waits to be destroyed
        facts=frozenset({Family.POOLS}),
        needs=release.needs,
        remember=release.remember,
        wording=Wording(title=_several("Release"), page=_of_snapshots),
    ),
    Operation(
        name="snapshot.clone",
        request=clone.CloneSnapshot,
        plan=clone.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        needs=clone.needs,
        wording=Wording(
            title="Clone {snapshot} to {name}",
            page=_of_snapshots,
            result=at("Open {name}", "/datasets/{name:/}/"),
        ),
    ),
    Operation(
        name="snapshot.rename",
        request=rename_snapshot.RenameSnapshot,
        plan=rename_snapshot.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        needs=rename_snapshot.needs,
        wording=Wording(title="Rename {snapshot}", page=_of_snapshots),
    ),
    Operation(
        name="snapshot.rollback",
        request=rollback.RollBack,
        plan=rollback.plan,
        scope="pools:write",
        effect="destroys",
        facts=frozenset({Family.POOLS}),
        needs=rollback.needs,
        wording=Wording(title="Roll back to {snapshot}", page=_of_snapshots, button=_rollback_button),
    ),
)
