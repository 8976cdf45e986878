"""Plans to hold, release, clone, rename and roll back, and to destroy many."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.inventory import Inventory, Snapshot
from jobs.plan import Refused
from jobs.planning.findings import Findings
from pools.snapshots import clone, destroy_snapshots, hold, release, rename_snapshot, rollback, selection
from tests import made

DATASETS = (
    *(made.dataset(name) for name in ("tank", "tank/a", "tank/a/b", "pond")),
    made.dataset("tank/v", kind="volume"),
    made.dataset("tank/copy", origin="tank/a@3"),
    made.dataset("tank/copy/below"),
)


def machine(*snapshots: Snapshot, datasets: Any = DATASETS) -> Inventory:
    return made.inventory(
        pools=(made.pool("tank"), made.pool("pond")), datasets=datasets, snapshots=snapshots
    )


def row(*, of: str = "tank/a", count: int = 5, **changed: dict[str, Any]) -> list[Snapshot]:
    """Snapshots 1, 2, 3… of a dataset, in the order of their making."""
    return [
        made.snapshot(f"{of}@{number}", createtxg=number, **changed.get(f"s{number}", {}))
        for number in range(1, count + 1)
    ]


def faults(refused: pytest.ExceptionInfo[Refused]) -> set[tuple[str, str]]:
    return {(f.code, f.field) for f in refused.value.findings if f.level == "error"}


def argvs(plan: Any) -> list[tuple[str, ...]]:
    return [command.argv() for step in plan.steps for command in step.commands]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("tank/a@2", "2"),
        ("tank/a@4,2", "24"),
        ("tank/a@2%4", "234"),
        ("tank/a@%2", "12"),
        ("tank/a@4%", "45"),
        ("tank/a@%", "12345"),
        ("tank/a@1,3%4", "134"),
    ],
)
def test_snapshots_are_named_as_zfs_does(entry: str, expected: str) -> None:
    findings = Findings()
    found = selection.choose([entry], machine(*row()), findings, "snapshots")
    assert "".join(one.tag for one in found) == expected and findings.all() == ()


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ("tank/a", "not-a-snapshot"),
        ("tank/a@", "not-a-snapshot"),
        ("tank/gone@1", "unknown-dataset"),
        ("tank/a@9", "unknown-snapshot"),
        ("tank/a@1,,2", "unknown-snapshot"),
        ("tank/a@1%9", "unknown-snapshot"),
        ("tank/a@4%2", "reversed-range"),
        ("pond@%", "unknown-snapshot"),
    ],
)
def test_what_is_named_wrongly_is_told_with_its_place(entry: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        destroy_snapshots.plan(
            destroy_snapshots.DestroySnapshots(snapshots=("tank/a@1", entry)), machine(*row())
        )
    assert faults(refused) == {(code, "snapshots[1]")}


@given(st.text(max_size=60))
def test_no_text_breaks_the_reading_of_names(text: str) -> None:
    findings = Findings()
    found = selection.choose([text], machine(*row()), findings, "snapshots")
    assert bool(found) != bool(findings.all())


def test_many_of_several_datasets_go_in_a_step_each() -> None:
    request = destroy_snapshots.DestroySnapshots(snapshots=("tank/a@2%4", "pond@1"))
    plan = destroy_snapshots.plan(request, machine(*row(), *row(of="pond", count=2)))
    assert argvs(plan) == [("zfs", "destroy", "pond@1"), ("zfs", "destroy", "tank/a@2,3,4")]
    assert [loss.snapshot for loss in plan.destroys] == ["pond@1", "tank/a@2", "tank/a@3", "tank/a@4"]
    assert plan.claims == ("dataset:pond", "dataset:tank/a")


def test_each_that_is_kept_is_told_with_what_keeps_it() -> None:
    there = machine(*row(s2={"holds": 1}, s4={"clones": ("tank/copy",)}))
    request = destroy_snapshots.DestroySnapshots(snapshots=("tank/a@%",))
    with pytest.raises(Refused) as refused:
        destroy_snapshots.plan(request, there)
    said = [finding.message for finding in refused.value.findings]
    assert said == [
        "tank/a@2 has a hold on it. Release it first.",
        "tank/a@4 has clones (tank/copy). Promote or destroy them first.",
    ]
    request = destroy_snapshots.DestroySnapshots(snapshots=("tank/a@%",), skip_kept=True)
    plan = destroy_snapshots.plan(request, there)
    assert argvs(plan) == [("zfs", "destroy", "tank/a@1,3,5")]
    assert [finding.level for finding in plan.findings] == ["info", "info"]


def test_what_is_kept_below_stays_when_the_kept_are_left_out() -> None:
    there = machine(*row(count=1), made.snapshot("tank/a/b@1", holds=1))
    request = destroy_snapshots.DestroySnapshots(snapshots=("tank/a@1",), recursive=True, skip_kept=True)
    plan = destroy_snapshots.plan(request, there)
    assert argvs(plan) == [("zfs", "destroy", "tank/a@1")]


def test_where_all_are_kept_nothing_is_planned() -> None:
    request = destroy_snapshots.DestroySnapshots(snapshots=("tank/a@1",), skip_kept=True)
    with pytest.raises(Refused) as refused:
        destroy_snapshots.plan(request, machine(*row(count=1, s1={"holds": 3})))
    assert ("nothing-left", "snapshots") in faults(refused)


def test_a_plan_of_very_many_names_some_and_counts_the_rest() -> None:
    many = row(count=700)
    request = destroy_snapshots.DestroySnapshots(snapshots=("tank/a@%",))
    plan = destroy_snapshots.plan(request, machine(*many))
    assert len(plan.destroys) == 201
    assert plan.destroys[-1].holds == "500 more snapshots of tank/a, from 201 to 700"
    fewer = destroy_snapshots.plan(request, machine(*many[:-1]))
    assert fewer.digest != plan.digest


def test_holds_go_on_all_of_a_pool_at_once() -> None:
    request = hold.HoldSnapshots(snapshots=("tank/a@1", "tank/a@2", "pond@1"), tag="audit")
    plan = hold.plan(request, machine(*row(), *row(of="pond", count=1)))
    assert argvs(plan) == [
        ("zfs", "hold", "audit", "pond@1"),
        ("zfs", "hold", "audit", "tank/a@1", "tank/a@2"),
    ]
    assert plan.destroys == ()


def test_what_one_above_takes_along_is_held_and_released_once() -> None:
    held = [made.snapshot(name, holds=1) for name in ("tank/a@1", "tank/a/b@1", "tank/a/b@2")]
    names = ("tank/a/b@1,2", "tank/a@1")
    request = hold.HoldSnapshots(snapshots=names, tag="mine", recursive=True)
    assert argvs(hold.plan(request, machine(*held))) == [
        ("zfs", "hold", "-r", "mine", "tank/a@1", "tank/a/b@2")
    ]
    given_up = release.ReleaseSnapshots(snapshots=names, tag="mine", recursive=True)
    assert argvs(release.plan(given_up, machine(*held))) == [
        ("zfs", "release", "-r", "mine", "tank/a@1", "tank/a/b@2")
    ]


@pytest.mark.parametrize("tag", ["", ".zfs", "-r", "a b", "x" * 201, "ä", "a\n"])
def test_a_hold_needs_a_name(tag: str) -> None:
    with pytest.raises(Refused) as refused:
        hold.plan(hold.HoldSnapshots(snapshots=("tank/a@1",), tag=tag), machine(*row()))
    assert faults(refused) == {("bad-name", "tag")}


def test_what_is_not_held_cannot_be_released() -> None:
    with pytest.raises(Refused) as refused:
        release.plan(release.ReleaseSnapshots(snapshots=("tank/a@1",), tag="x"), machine(*row()))
    assert faults(refused) == {("not-held", "snapshots")}


def test_holds_of_others_can_be_released_whatever_they_are_called() -> None:
    request = release.ReleaseSnapshots(snapshots=("tank/a@1",), tag="from another program")
    plan = release.plan(request, machine(*row(s1={"holds": 1})))
    assert argvs(plan) == [("zfs", "release", "from another program", "tank/a@1")]


def test_to_release_the_last_hold_of_one_that_is_leaving_destroys_it() -> None:
    there = machine(*row(s1={"holds": 1, "leaving": True}, s2={"holds": 2, "leaving": True}))
    plan = release.plan(release.ReleaseSnapshots(snapshots=("tank/a@1", "tank/a@2")), there)
    assert [loss.snapshot for loss in plan.destroys] == ["tank/a@1"]
    assert plan.confirm == "tank/a@1"


def test_a_clone_is_made_in_the_pool_of_its_snapshot() -> None:
    request = clone.CloneSnapshot(snapshot="tank/a@1", name="tank/new", properties={"mine:note": "x"})
    plan = clone.plan(request, machine(*row()))
    assert argvs(plan) == [("zfs", "clone", "-o", "mine:note=x", "tank/a@1", "tank/new")]
    assert plan.claims == ("dataset:tank/a", "dataset:tank/new")


@pytest.mark.parametrize(
    ("snapshot", "name", "fault"),
    [
        ("tank/a@9", "tank/new", ("unknown-snapshot", "snapshot[0]")),
        ("tank/a@1%2", "tank/new", ("not-a-snapshot", "snapshot")),
        ("tank/a@1", "pond/new", ("other-pool", "name")),
        ("tank/a@1", "tank/a", ("name-taken", "name")),
        ("tank/a@1", "tank/.nasweb-benchmark/a", ("bad-name", "name")),
        ("tank/a@1", "tank/no/new", ("unknown-parent", "name")),
        ("tank/a@1", "tank/v/new", ("parent-is-volume", "name")),
        ("tank/a@1", "tank/new@x", ("bad-name", "name")),
        ("tank/a@1", "", ("bad-name", "name")),
    ],
)
def test_a_clone_that_cannot_be_is_refused(snapshot: str, name: str, fault: tuple[str, str]) -> None:
    with pytest.raises(Refused) as refused:
        clone.plan(clone.CloneSnapshot(snapshot=snapshot, name=name), machine(*row()))
    assert faults(refused) == {fault}


def test_a_snapshot_is_renamed_with_those_below() -> None:
    there = machine(*row(), made.snapshot("tank/a/b@1"))
    request = rename_snapshot.RenameSnapshot(snapshot="tank/a@1", name="first", recursive=True)
    plan = rename_snapshot.plan(request, there)
    assert argvs(plan) == [("zfs", "rename", "-r", "tank/a@1", "tank/a@first")]
    assert plan.steps[0].title == "Rename tank/a@1 and 1 below to first"


@pytest.mark.parametrize(
    ("name", "code"), [("2", "name-taken"), ("a b", "bad-name"), ("x" * 250, "bad-name")]
)
def test_a_new_name_that_cannot_be_had_is_refused(name: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        rename_snapshot.plan(rename_snapshot.RenameSnapshot(snapshot="tank/a@1", name=name), machine(*row()))
    assert faults(refused) == {(code, "name")}


def test_a_rollback_shows_all_that_goes_with_it() -> None:
    plan = rollback.plan(rollback.RollBack(snapshot="tank/a@3"), machine(*row()))
    assert argvs(plan) == [("zfs", "rollback", "-r", "tank/a@3")]
    assert [loss.snapshot or loss.holds for loss in plan.destroys] == [
        "everything written to tank/a since 3", "tank/a@4", "tank/a@5",
    ]  # fmt: skip
    assert plan.confirm == "tank/a"
    assert {finding.code for finding in plan.findings} == {"children-stay", "bookmarks"}


def test_a_rollback_to_the_newest_still_loses_what_was_written_since() -> None:
    plan = rollback.plan(rollback.RollBack(snapshot="tank/a@5"), machine(*row()))
    assert argvs(plan) == [("zfs", "rollback", "tank/a@5")]
    assert [loss.holds for loss in plan.destroys] == ["everything written to tank/a since 5"]


def test_what_is_mounted_or_a_volume_is_warned_of() -> None:
    mounted = (made.dataset("tank"), made.dataset("tank/a", mounted="yes"))
    plan = rollback.plan(rollback.RollBack(snapshot="tank/a@5"), machine(*row(), datasets=mounted))
    assert [f.code for f in plan.findings if f.level == "warning"] == ["mounted"]
    plan = rollback.plan(rollback.RollBack(snapshot="tank/v@1"), machine(*row(of="tank/v", count=1)))
    assert [f.code for f in plan.findings if f.level == "warning"] == ["in-use"]


def test_a_younger_one_that_is_held_forbids_a_rollback() -> None:
    with pytest.raises(Refused) as refused:
        rollback.plan(
            rollback.RollBack(snapshot="tank/a@1", destroy_clones=True), machine(*row(s4={"holds": 1}))
        )
    assert faults(refused) == {("held", "snapshot")}


def test_clones_of_younger_ones_forbid_a_rollback_without_a_choice() -> None:
    there = machine(*row(s3={"clones": ("tank/copy",)}), made.snapshot("tank/copy@x"))
    with pytest.raises(Refused) as refused:
        rollback.plan(rollback.RollBack(snapshot="tank/a@1"), there)
    assert faults(refused) == {("has-clones", "destroy_clones")}
    plan = rollback.plan(rollback.RollBack(snapshot="tank/a@1", destroy_clones=True), there)
    assert argvs(plan) == [("zfs", "rollback", "-R", "tank/a@1")]
    assert [loss.holds for loss in plan.destroys][-2:] == [
        "the clone tank/copy and its 1 snapshots", "the clone tank/copy/below",
    ]  # fmt: skip
    assert set(plan.claims) == {"dataset:tank/a", "dataset:tank/copy", "dataset:tank/copy/below"}


def test_clones_of_older_ones_are_in_nobodys_way() -> None:
    there = machine(*row(s3={"clones": ("tank/copy",), "holds": 1}))
    assert argvs(rollback.plan(rollback.RollBack(snapshot="tank/a@3"), there)) == [
        ("zfs", "rollback", "-r", "tank/a@3")
    ]
