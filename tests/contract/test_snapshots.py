"""Snapshots: all or none, lists of them, and what stands in their way."""

from __future__ import annotations

import pytest

from host.base import Host
from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsListSnapshots, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate
from host.probe.datasets.snapshots import list_snapshots
from tests.contract.bench import POOL, Bench


def _tags(host: Host, dataset: str, *, recursive: bool = False) -> list[str]:
    found = list_snapshots(host, dataset, recursive=recursive)
    return [snapshot.name.removeprefix(dataset) for snapshot in found]


@pytest.mark.core
def test_a_snapshot_is_listed_with_what_it_holds(tank: Bench) -> None:
    name = tank.fresh()
    assert list_snapshots(tank.host, name) == []
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    (snapshot,) = list_snapshots(tank.host, name)
    assert (snapshot.name, snapshot.dataset, snapshot.tag) == (f"{name}@one", name, "one")
    assert (snapshot.holds, snapshot.clones) == (0, ())
    assert snapshot.guid.isdecimal()
    assert abs(snapshot.created - tank.dataset(name).number("creation")) < 3600
    assert snapshot.referenced_bytes == tank.dataset(name).number("referenced")
    assert snapshot.used_bytes is not None and snapshot.used_bytes <= snapshot.referenced_bytes


def test_a_snapshot_leaves_its_time_on_the_dataset(tank: Bench) -> None:
    name = tank.fresh()
    assert "snapshots_changed" not in tank.dataset(name).properties
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    changed = tank.dataset(name).number("snapshots_changed")
    assert changed >= tank.dataset(name).number("creation")


def test_snapshots_come_oldest_first(tank: Bench) -> None:
    name = tank.fresh()
    for tag in ("c", "a", "b"):
        tank.host.run(ZfsSnapshot(names=(f"{name}@{tag}",)))
    assert _tags(tank.host, name) == ["@c", "@a", "@b"]


def test_those_of_children_are_listed_only_when_asked_for(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{name}/child"))
    tank.host.run(ZfsSnapshot(names=(f"{name}@all",), recursive=True))
    assert _tags(tank.host, name) == ["@all"]
    assert sorted(_tags(tank.host, name, recursive=True)) == ["/child@all", "@all"]


def test_several_are_taken_in_one_transaction(tank: Bench) -> None:
    one, two = tank.fresh(), tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{one}@now", f"{two}@now")))
    assert (_tags(tank.host, one), _tags(tank.host, two)) == (["@now"], ["@now"])
    assert list_snapshots(tank.host, one)[0].created == list_snapshots(tank.host, two)[0].created


def test_if_one_cannot_be_taken_none_is(tank: Bench) -> None:
    one, two = tank.fresh(), tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{two}@now",)))
    refused = tank.refuse(ZfsSnapshot(names=(f"{one}@now", f"{two}@now")))
    assert refused.exit == 1
    assert f"cannot create snapshot '{two}@now': dataset already exists" in refused.stderr
    assert _tags(tank.host, one) == []


def test_if_a_child_has_the_name_already_none_is_taken(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{name}/child"))
    tank.host.run(ZfsSnapshot(names=(f"{name}/child@now",)))
    assert tank.refuse(ZfsSnapshot(names=(f"{name}@now",), recursive=True)).exit == 1
    assert _tags(tank.host, name) == []


def test_of_one_dataset_only_one_can_be_taken_at_once(tank: Bench) -> None:
    name = tank.fresh()
    refused = tank.refuse(ZfsSnapshot(names=(f"{name}@a", f"{name}@b")))
    assert refused.exit == 1
    assert "multiple snapshots of same fs not allowed" in refused.stderr
    assert _tags(tank.host, name) == []


def test_a_snapshot_of_nothing_is_refused(tank: Bench) -> None:
    refused = tank.refuse(ZfsSnapshot(names=(f"{POOL}/gone@now",)))
    assert refused.exit == 2
    assert refused.stderr.startswith(f"cannot open '{POOL}/gone': dataset does not exist\n")


def test_the_snapshots_of_nothing_cannot_be_listed(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    report = tank.host.run(ZfsListSnapshots(datasets=(f"{POOL}/gone", name)))
    assert (report.exit, report.stderr) == (1, f"cannot open '{POOL}/gone': dataset does not exist\n")
    assert [line.split("\t")[0] for line in report.stdout.splitlines()] == [f"{name}@one"]


def test_a_list_is_destroyed_and_the_rest_stays(tank: Bench) -> None:
    name = tank.fresh()
    for tag in ("a", "b", "c", "d"):
        tank.host.run(ZfsSnapshot(names=(f"{name}@{tag}",)))
    tank.host.run(ZfsDestroySnapshots(dataset=name, tags=("a", "c")))
    assert _tags(tank.host, name) == ["@b", "@d"]


def test_names_that_are_gone_do_not_stop_the_others(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@a",)))
    tank.host.run(ZfsDestroySnapshots(dataset=name, tags=("a", "gone")))
    assert _tags(tank.host, name) == []


def test_if_all_names_are_gone_that_is_said(tank: Bench) -> None:
    name = tank.fresh()
    refused = tank.refuse(ZfsDestroySnapshots(dataset=name, tags=("gone",)))
    assert refused.exit == 1
    assert refused.stderr == "could not find any snapshots to destroy; check snapshot names.\n"


def test_the_same_name_goes_below_too_when_asked_for(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsCreate(name=f"{name}/child"))
    for tag in ("now", "later"):
        tank.host.run(ZfsSnapshot(names=(f"{name}@{tag}",), recursive=True))
    tank.host.run(ZfsDestroySnapshots(dataset=name, tags=("now",), recursive=True))
    assert sorted(_tags(tank.host, name, recursive=True)) == ["/child@later", "@later"]
    tank.host.run(ZfsDestroySnapshots(dataset=name, tags=("later",)))
    assert _tags(tank.host, name, recursive=True) == ["/child@later"]


def test_a_volume_has_snapshots_too(tank: Bench) -> None:
    name = f"{tank.fresh()}/volume"
    tank.host.run(ZfsCreate(name=name, volume_bytes=64 << 20, sparse=True))
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    assert _tags(tank.host, name) == ["@one"]
