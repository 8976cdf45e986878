"""snapshot.create and snapshot.destroy."""

from __future__ import annotations

import msgspec
import pytest

from jobs.plan import Refused
from pools.snapshots.destroy_snapshots import DestroySnapshots
from pools.snapshots.destroy_snapshots import plan as plan_destroy
from pools.snapshots.take_snapshot import TakeSnapshot
from pools.snapshots.take_snapshot import plan as plan_take
from tests import made

DATASETS = tuple(made.dataset(name) for name in ("tank", "tank/a", "tank/a/b", "pond", "pond/c"))
SNAPSHOTS = (
    made.snapshot("tank/a@monday"),
    made.snapshot("tank/a@held", holds=2),
    made.snapshot("tank/a@cloned", clones=("tank/x",)),
    made.snapshot("tank/a/b@monday"),
)
MACHINE = made.inventory(pools=(made.pool("tank"), made.pool("pond")), datasets=DATASETS, snapshots=SNAPSHOTS)


def faults(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings}


def test_datasets_of_one_pool_are_snapshotted_by_one_command_each_pool() -> None:
    plan = plan_take(TakeSnapshot(datasets=("tank/a", "pond/c", "tank/a/b"), name="now"), MACHINE)
    assert [command.argv() for step in plan.steps for command in step.commands] == [
        ("zfs", "snapshot", "pond/c@now"),
        ("zfs", "snapshot", "tank/a@now", "tank/a/b@now"),
    ]
    assert plan.claims == ("dataset:tank/a", "dataset:pond/c", "dataset:tank/a/b")


@pytest.mark.parametrize("tag", ["", "a/b", "a@b", "a b", "a%b", "x" * 300, "a\n", "..", "ä"])
def test_bad_snapshot_names_are_refused(tag: str) -> None:
    with pytest.raises(Refused) as refused:
        plan_take(TakeSnapshot(datasets=("tank/a",), name=tag), MACHINE)
    assert faults(refused) == {("bad-name", "name")}


def test_taken_names_unknown_and_repeated_datasets_are_refused_together() -> None:
    request = TakeSnapshot(datasets=("tank", "tank/a", "no", "pond", "pond"), name="monday", recursive=True)
    with pytest.raises(Refused) as refused:
        plan_take(request, MACHINE)
    assert faults(refused) == {
        ("name-taken", "name"),
        ("duplicate-dataset", "datasets[1]"),
        ("unknown-dataset", "datasets[2]"),
        ("duplicate-dataset", "datasets[4]"),
    }


def test_destroying_one_asks_for_its_whole_name() -> None:
    plan = plan_destroy(DestroySnapshots(snapshots=("tank/a@monday",)), MACHINE)
    assert plan.steps[0].commands[0].argv() == ("zfs", "destroy", "tank/a@monday")
    assert plan.confirm == "tank/a@monday"
    assert [loss.snapshot for loss in plan.destroys] == ["tank/a@monday"]


def test_recursive_destroying_names_those_below_too() -> None:
    plan = plan_destroy(DestroySnapshots(snapshots=("tank/a@monday",), recursive=True), MACHINE)
    assert [loss.snapshot for loss in plan.destroys] == ["tank/a@monday", "tank/a/b@monday"]


def test_what_goes_with_one_above_is_not_destroyed_twice() -> None:
    more = (made.snapshot("tank/a@friday"), made.snapshot("tank/a/b@friday"), made.snapshot("tank/a/b@own"))
    machine = msgspec.structs.replace(
        MACHINE, snapshots=made.inventory(snapshots=(*SNAPSHOTS, *more)).snapshots
    )
    names = ("tank/a/b@monday,own", "tank/a@monday,friday")
    plan = plan_destroy(DestroySnapshots(snapshots=names, recursive=True), machine)
    assert [" ".join(step.commands[0].argv()) for step in plan.steps] == [
        "zfs destroy -r tank/a@monday,friday", "zfs destroy -r tank/a/b@own",
    ]  # fmt: skip
    assert [[loss.snapshot for loss in step.destroys] for step in plan.steps] == [
        ["tank/a@monday", "tank/a@friday", "tank/a/b@monday", "tank/a/b@friday"], ["tank/a/b@own"],
    ]  # fmt: skip
    alone = plan_destroy(DestroySnapshots(snapshots=names), machine)
    assert [" ".join(step.commands[0].argv()) for step in alone.steps] == [
        "zfs destroy tank/a@monday,friday", "zfs destroy tank/a/b@monday,own",
    ]  # fmt: skip


def test_held_cloned_and_unknown_snapshots_are_refused() -> None:
    with pytest.raises(Refused) as refused:
        plan_destroy(DestroySnapshots(snapshots=("tank/a@held,cloned",)), MACHINE)
    assert faults(refused) == {("held", "snapshots"), ("has-clones", "snapshots")}


def test_many_snapshots_go_in_batches() -> None:
    many = tuple(made.snapshot(f"pond/c@s{number:04}") for number in range(1200))
    machine = made.inventory(pools=(made.pool("pond"),), datasets=DATASETS, snapshots=many)
    tags = tuple(snapshot.tag for snapshot in many)
    plan = plan_destroy(DestroySnapshots(snapshots=tuple(f"pond/c@{tag}" for tag in tags)), machine)
    assert [len(command.argv()[-1].split(",")) for command in plan.steps[0].commands] == [500, 500, 200]
