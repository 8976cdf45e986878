"""The mark of policies on snapshots: set when they are taken, and distinguished from inherited ones."""

from __future__ import annotations

import pytest

from host.commands.datasets.marks import ZfsGetMarks
from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsSnapshot
from host.commands.datasets.zfs import MARK, ZfsSet
from host.probe.datasets.marks import read_marks
from host.probe.datasets.snapshots import list_snapshots
from tests.contract.bench import Bench

TAG = "auto-hourly_2026-11-21T14.00.00Z"


@pytest.mark.core
def test_a_mark_is_given_as_the_snapshot_is_taken(tank: Bench) -> None:
    one, two = tank.fresh(), tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{one}@{TAG}", f"{two}@{TAG}"), properties={MARK: "1"}))
    assert [snapshot.mark for snapshot in list_snapshots(tank.host, two)] == ["1"]
    names = (f"{one}@{TAG}", f"{two}@{TAG}")
    assert read_marks(tank.host, names) == dict.fromkeys(names, "1")


def test_a_mark_that_the_dataset_hands_down_is_not_the_snapshots_own(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@before",)))
    assert [snapshot.mark for snapshot in list_snapshots(tank.host, name)] == [""]
    tank.host.run(ZfsSet(name=name, properties={MARK: "1"}))
    assert [snapshot.mark for snapshot in list_snapshots(tank.host, name)] == ["1"]
    assert read_marks(tank.host, (f"{name}@before",)) == {}


def test_what_is_gone_is_left_out(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@{TAG}",), properties={MARK: "1"}))
    assert read_marks(tank.host, (f"{name}@gone", f"{name}@{TAG}", f"{name}/no@x")) == {f"{name}@{TAG}": "1"}
    answer = tank.host.run(ZfsGetMarks(names=(f"{name}@gone",)))
    assert (answer.exit, answer.stdout) == (1, "")
    assert f"cannot open '{name}@gone': dataset does not exist" in answer.stderr


def test_a_native_property_is_no_mark(tank: Bench) -> None:
    with pytest.raises(ValueError, match="The property compression is not set here"):
        ZfsSnapshot(names=(f"{tank.fresh()}@x",), properties={"compression": "lz4"})


def test_of_a_list_those_that_are_there_are_destroyed(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@{TAG}",), properties={MARK: "1"}))
    tank.host.run(ZfsDestroySnapshots(dataset=name, tags=("gone", TAG)))
    assert list_snapshots(tank.host, name) == []
    refused = tank.refuse(ZfsDestroySnapshots(dataset=name, tags=("gone", "too")))
    assert "could not find any snapshots to destroy" in refused.stderr


def test_a_hold_and_a_clone_are_reported_with_the_mark(tank: Bench) -> None:
    name = tank.fresh()
    tank.host.run(ZfsSnapshot(names=(f"{name}@{TAG}",), properties={MARK: "1"}))
    answer = tank.host.run(ZfsGetMarks(names=(f"{name}@{TAG}",))).stdout.splitlines()
    rows = [line.split("\t") for line in answer]
    # Whose first row begins with another property, or comes twice, is not all the snapshot's own.
    assert [row[:2] for row in rows] == [[f"{name}@{TAG}", prop] for prop in ("userrefs", "clones", MARK)]
    assert (rows[0][2], rows[2][2]) == ("0", "1")
    assert rows[1][2] in {"", "-"}
