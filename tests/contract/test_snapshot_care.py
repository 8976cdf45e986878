"""Holds, clones, rollbacks, new names, what would be free, and what changed."""

from __future__ import annotations

import pytest

from host.base import Host
from host.commands.datasets.snapshots import (
    ZfsClone,
    ZfsDestroySnapshots,
    ZfsDiff,
    ZfsHold,
    ZfsHolds,
    ZfsListSnapshots,
    ZfsReclaim,
    ZfsRelease,
    ZfsRenameSnapshot,
    ZfsRollback,
    ZfsSnapshot,
    ZfsSnapshotDetails,
)
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy
from host.probe.datasets.snapshots import list_snapshots, read_details, read_holds
from pools.snapshots.reclaim import reclaimed
from tests.contract.bench import POOL, Bench


def _take(tank: Bench, dataset: str, *tags: str) -> None:
    for tag in tags:
        tank.host.run(ZfsSnapshot(names=(f"{dataset}@{tag}",)))


def _tags(host: Host, dataset: str) -> list[str]:
    return [snapshot.tag for snapshot in list_snapshots(host, dataset)]


@pytest.mark.core
def test_a_hold_keeps_a_snapshot_until_it_is_released(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "one")
    tank.host.run(ZfsHold(names=(f"{name}@one",), tag="for Anna"))
    (hold,) = read_holds(tank.host, (f"{name}@one",))
    assert (hold.snapshot, hold.tag) == (f"{name}@one", "for Anna") and hold.since > 1_700_000_000
    assert list_snapshots(tank.host, name)[0].holds == 1
    assert "it's being held" in tank.refuse(ZfsDestroySnapshots(dataset=name, tags=("one",))).stderr
    again = tank.refuse(ZfsHold(names=(f"{name}@one",), tag="for Anna"))
    assert again.stderr == f"cannot hold snapshot '{name}@one': tag already exists on this dataset\n"
    tank.host.run(ZfsRelease(names=(f"{name}@one",), tag="for Anna"))
    gone = tank.refuse(ZfsRelease(names=(f"{name}@one",), tag="for Anna"))
    assert gone.stderr == f"cannot release hold from snapshot '{name}@one': no such tag on this dataset\n"
    tank.host.run(ZfsDestroySnapshots(dataset=name, tags=("one",)))
    assert _tags(tank.host, name) == []


def test_each_snapshot_is_held_by_itself(tank: Bench) -> None:
    """One that is held already, or gone, keeps nobody from the others: runs of replications rely on it."""
    name = tank.fresh()
    _take(tank, name, "one", "two", "three")
    tank.host.run(ZfsHold(names=(f"{name}@two",), tag="keep"))
    there = tuple(f"{name}@{tag}" for tag in ("one", "two", "three"))
    names = (there[0], f"{name}@gone", *there[1:])
    said = tank.refuse(ZfsHold(names=names, tag="keep")).stderr
    assert "tag already exists" in said and "dataset does not exist" in said
    assert {hold.snapshot for hold in read_holds(tank.host, there)} == set(there)
    tank.refuse(ZfsRelease(names=names, tag="keep"))
    assert list(read_holds(tank.host, there)) == []


def test_a_hold_goes_below_when_asked_for(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{name}/child"))
    tank.host.run(ZfsSnapshot(names=(f"{name}@now",), recursive=True))
    tank.host.run(ZfsHold(names=(f"{name}@now",), tag="keep", recursive=True))
    assert [one.holds for one in list_snapshots(tank.host, name, recursive=True)] == [1, 1]
    tank.host.run(ZfsRelease(names=(f"{name}@now",), tag="keep", recursive=True))
    assert [one.holds for one in list_snapshots(tank.host, name, recursive=True)] == [0, 0]


def test_what_is_gone_does_not_hide_the_others(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "one")
    tank.host.run(ZfsHold(names=(f"{name}@one",), tag="keep"))
    names = (f"{name}@one", f"{name}@gone")
    missing = f"cannot open '{name}@gone': dataset does not exist\n"
    for report in (tank.host.run(ZfsSnapshotDetails(names=names)), tank.host.run(ZfsHolds(names=names))):
        assert (report.exit, report.stderr) == (1, missing)
    assert [one.name for one in read_details(tank.host, names)] == [f"{name}@one"]
    assert [one.tag for one in read_holds(tank.host, names)] == ["keep"]
    tank.host.run(ZfsRelease(names=(f"{name}@one",), tag="keep"))


def test_holds_and_clones_do_not_move_the_time_of_the_dataset_and_a_new_name_does(tank: Bench) -> None:
    # What is known of them must be asked for; `snapshots_changed` is about names alone.
    name = tank.fresh()
    _take(tank, name, "one")
    before = tank.dataset(name).number("snapshots_changed")
    tank.host.run(ZfsHold(names=(f"{name}@one",), tag="keep"))
    tank.host.run(ZfsClone(snapshot=f"{name}@one", name=f"{name}-clone"))
    assert tank.dataset(name).number("snapshots_changed") == before
    tank.host.run(ZfsDestroy(name=f"{name}-clone"))
    tank.host.run(ZfsRelease(names=(f"{name}@one",), tag="keep"))
    tank.host.run(ZfsRenameSnapshot(name=f"{name}@one", tag="uno"))
    assert tank.dataset(name).number("snapshots_changed") >= before
    assert _tags(tank.host, name) == ["uno"]


def test_a_list_of_names_reports_what_never_changes(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "b", "a")
    report = tank.host.run(ZfsListSnapshots(datasets=(name,))).stdout
    listed = [line.split("\t") for line in report.splitlines()]
    known = {one.name: one for one in list_snapshots(tank.host, name)}
    assert [columns[0] for columns in listed] == [f"{name}@a", f"{name}@b"]
    assert all(known[full].guid == guid and known[full].createtxg == int(txg) for full, guid, txg in listed)
    assert known[f"{name}@b"].createtxg < known[f"{name}@a"].createtxg


def test_a_clone_is_listed_by_its_snapshot_and_holds_it(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "one")
    clone = f"{name}-clone"
    tank.host.run(ZfsClone(snapshot=f"{name}@one", name=clone, properties={"compression": "zstd"}))
    assert list_snapshots(tank.host, name)[0].clones == (clone,)
    found = tank.dataset(clone)
    assert (found.value("origin"), found.value("compression"), found.mounted) == (f"{name}@one", "zstd", True)
    assert (
        "snapshot has dependent clones"
        in tank.refuse(ZfsDestroySnapshots(dataset=name, tags=("one",))).stderr
    )
    taken = tank.refuse(ZfsClone(snapshot=f"{name}@one", name=clone))
    assert taken.stderr == f"cannot create '{clone}': dataset already exists\n"
    lost = tank.refuse(ZfsClone(snapshot=f"{name}@one", name=f"{POOL}/no/where"))
    assert lost.stderr == f"cannot create '{POOL}/no/where': parent does not exist\n"
    tank.host.run(ZfsDestroy(name=clone))


def test_a_rollback_destroys_the_younger_ones_when_asked_to(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "one", "two", "three")
    refused = tank.refuse(ZfsRollback(snapshot=f"{name}@one"))
    assert refused.stderr == (
        f"cannot rollback to '{name}@one': more recent snapshots or bookmarks exist\n"
        "use '-r' to force deletion of the following snapshots and bookmarks:\n"
        f"{name}@two\n{name}@three\n"
    )
    tank.host.run(ZfsRollback(snapshot=f"{name}@one", newer=True))
    assert _tags(tank.host, name) == ["one"]
    tank.host.run(ZfsRollback(snapshot=f"{name}@one"))


def test_a_held_one_ends_a_rollback_halfway(tank: Bench) -> None:
    # Why plans ask for holds: the youngest is gone then, although nothing was rolled back.
    name = tank.fresh()
    _take(tank, name, "one", "two", "three")
    tank.host.run(ZfsHold(names=(f"{name}@two",), tag="keep"))
    refused = tank.refuse(ZfsRollback(snapshot=f"{name}@one", newer=True))
    assert refused.stderr == f"cannot destroy '{name}@two': dataset is busy\n"
    assert _tags(tank.host, name) == ["one", "two"]
    tank.host.run(ZfsRelease(names=(f"{name}@two",), tag="keep"))


def test_clones_of_younger_ones_go_only_on_request(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "one", "two")
    clone = f"{name}-clone"
    tank.host.run(ZfsClone(snapshot=f"{name}@two", name=clone))
    refused = tank.refuse(ZfsRollback(snapshot=f"{name}@one", newer=True))
    assert refused.stderr.startswith(f"cannot rollback to '{name}@one': clones of previous snapshots exist\n")
    tank.host.run(ZfsRollback(snapshot=f"{name}@one", newer=True, clones=True))
    assert _tags(tank.host, name) == ["one"]
    assert clone not in {dataset.name for dataset in tank.datasets()}


def test_what_would_be_free_is_printed_and_nothing_is_done(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "a", "b", "c")
    tank.host.run(ZfsHold(names=(f"{name}@b",), tag="keep"))  # it ignores holds
    for tags in (("a", "b", "c"), ("a%c",)):
        report = tank.host.run(ZfsReclaim(dataset=name, tags=tags)).stdout
        assert [line for line in report.splitlines() if line.startswith("destroy")] == [
            f"destroy\t{name}@{tag}" for tag in ("a", "b", "c")
        ]
        assert report.splitlines()[-1].startswith("reclaim\t") and reclaimed(report) >= 0
    assert _tags(tank.host, name) == ["a", "b", "c"]
    tank.host.run(ZfsRelease(names=(f"{name}@b",), tag="keep"))


def test_no_change_prints_nothing(tank: Bench) -> None:
    name = tank.fresh()
    _take(tank, name, "one", "two")
    assert tank.host.run(ZfsDiff(older=f"{name}@one", newer=f"{name}@two")).stdout == ""
    refused = tank.refuse(ZfsDiff(older=f"{name}@two", newer=f"{name}@one"))
    assert refused.stderr == "Unable to obtain diffs: \n   Not an earlier snapshot from the same fs\n"
    assert tank.refuse(ZfsDiff(older=f"{name}@gone")).stderr == (
        "Unable to obtain diffs: No such file or directory\n"
    )


def test_names_with_spaces_are_names(tank: Bench) -> None:
    name = tank.fresh()
    odd = f"{name}/ my data "
    tank.host.run(ZfsCreate(name=odd))
    tank.host.run(ZfsSnapshot(names=(f"{odd}@ before lunch ",)))
    assert _tags(tank.host, odd) == [" before lunch "]
    tank.host.run(ZfsDestroySnapshots(dataset=odd, tags=(" before lunch ",)))
    assert _tags(tank.host, odd) == []
