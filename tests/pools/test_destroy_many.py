"""dataset.bulk-destroy: several datasets, in an order that ZFS can follow, or none of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from host.inventory import Dataset, Inventory, Snapshot
from host.replication.rewriting import Rewrite
from jobs.plan import Plan, Refused
from pools.datasets.destroy_many import DestroyDatasets, needs, plan
from tests import made

TREE = tuple(made.dataset(name) for name in ("tank", "tank/a", "tank/a/b", "tank/a/b/c", "tank/d", "tank/e"))


def machine(*more: Dataset, snapshots: tuple[Snapshot, ...] = ()) -> Inventory:
    """The tree with `more`, and these snapshots."""
    return made.inventory(pools=(made.pool(),), datasets=(*TREE, *more), snapshots=snapshots)


def commands(found: Plan) -> list[str]:
    return [" ".join(command.argv()) for step in found.steps for command in step.commands]


def faults(refused: pytest.ExceptionInfo[Refused]) -> list[tuple[str, str]]:
    return [(f.code, f.field) for f in refused.value.findings if f.level == "error"]


def test_what_lies_below_another_goes_with_it() -> None:
    found = plan(DestroyDatasets(names=("tank/a/b", "tank/d", "tank/a"), recursive=True), machine())
    assert commands(found) == ["zfs destroy -r tank/d", "zfs destroy -r tank/a"]
    assert [loss.dataset for loss in found.destroys] == ["tank/d", "tank/a", "tank/a/b", "tank/a/b/c"]
    assert found.confirm == "4 datasets"
    assert found.claims == ("dataset:tank/d", "dataset:tank/a")


def test_children_go_before_their_parent() -> None:
    found = plan(DestroyDatasets(names=("tank/a", "tank/a/b", "tank/e", "tank/a/b/c")), machine())
    assert commands(found) == [
        "zfs destroy tank/e", "zfs destroy tank/a/b/c", "zfs destroy tank/a/b", "zfs destroy tank/a",
    ]  # fmt: skip


def test_one_alone_is_confirmed_by_its_name() -> None:
    assert plan(DestroyDatasets(names=("tank/d",)), machine()).confirm == "tank/d"


@pytest.mark.parametrize("known", [(), ("tank/copy",)], ids=["by-its-origin", "by-the-snapshot"])
def test_a_clone_goes_before_its_origin(known: tuple[str, ...]) -> None:
    clone = made.dataset("tank/copy", origin="tank/d@x")
    found = plan(
        DestroyDatasets(names=("tank/d", "tank/copy"), recursive=True),
        machine(clone, snapshots=(made.snapshot("tank/d@x", clones=known),)),
    )
    assert commands(found) == ["zfs destroy -r tank/copy", "zfs destroy -r tank/d"]


def test_trees_that_are_clones_of_each_other_have_no_order() -> None:
    clones = (
        made.dataset("tank/d/one", origin="tank/e@x"),
        made.dataset("tank/e/two", origin="tank/d@y"),
    )
    snapshots = (made.snapshot("tank/e@x"), made.snapshot("tank/d@y"))
    with pytest.raises(Refused) as refused:
        plan(
            DestroyDatasets(names=("tank/d", "tank/e"), recursive=True),
            machine(*clones, snapshots=snapshots),
        )
    assert faults(refused) == [("has-clones", "names")]
    assert "tank/d and tank/e hold clones of each other's snapshots" in refused.value.findings[-1].message


@pytest.mark.parametrize(
    ("request_", "found"),
    [
        ({"names": ("tank/none", "tank/d")}, [("unknown-dataset", "names[0]")]),
        ({"names": ("tank/d", "tank/d")}, [("duplicate-dataset", "names[1]")]),
        ({"names": ("tank/d", "tank"), "recursive": True}, [("is-pool-root", "names[1]")]),
        ({"names": ("tank/a", "tank/d")}, [("has-children", "recursive")]),
        ({"names": ("tank/a", "tank/a/b/c")}, [("has-children", "recursive")]),
    ],
    ids=["unknown", "twice", "root", "children", "a-gap"],
)
def test_faults_name_their_field(request_: dict[str, Any], found: list[tuple[str, str]]) -> None:
    with pytest.raises(Refused) as refused:
        plan(DestroyDatasets(**request_), machine())
    assert faults(refused) == found


def test_holds_foreign_clones_and_the_running_system_keep_all_of_them() -> None:
    system = made.dataset("tank/log", mountpoint="/var/log", mounted="yes")
    snapshots = (made.snapshot("tank/d@held", holds=1), made.snapshot("tank/e@x", clones=("tank/other",)))
    with pytest.raises(Refused) as refused:
        plan(
            DestroyDatasets(names=("tank/d", "tank/e", "tank/log"), recursive=True),
            machine(system, snapshots=snapshots),
        )
    assert faults(refused) == [("held", "names"), ("has-clones", "names"), ("system-folder", "names")]


def test_what_is_written_anew_keeps_its_parts_until_that_is_ended() -> None:
    found = msgspec.structs.replace(
        machine(made.dataset("tank/a/b.before")),
        rewrites=(Rewrite(key="0" * 16, dataset="tank/a/b", live=True),),
    )
    for name in ("tank/a", "tank/a/b", "tank/a/b.before"):
        with pytest.raises(Refused) as refused:
            plan(DestroyDatasets(names=(name, "tank/d"), recursive=True), found)
        assert faults(refused) == [("is-rewritten", "names")]
    assert plan(DestroyDatasets(names=("tank/a/b/c", "tank/d"), recursive=True), found).steps


def test_snapshots_go_only_with_recursive() -> None:
    here = machine(snapshots=(made.snapshot("tank/d@x"),))
    with pytest.raises(Refused) as refused:
        plan(DestroyDatasets(names=("tank/d", "tank/e")), here)
    assert [f.message for f in refused.value.findings] == [
        "1 snapshot would be destroyed with tank/d. Confirm that too."
    ]
    found = plan(DestroyDatasets(names=("tank/d", "tank/e"), recursive=True), here)
    assert [(loss.dataset, loss.snapshot) for loss in found.destroys] == [
        ("tank/d", None), (None, "tank/d@x"), ("tank/e", None),
    ]  # fmt: skip


def test_the_plan_reads_the_snapshots_of_what_is_named() -> None:
    asked = needs(DestroyDatasets(names=("tank/d", "tank/e")), machine())
    assert asked.snapshots is not None
    assert asked.snapshots.datasets == ("tank/d", "tank/e")
