"""What the simulated machine says has changed between two states of a dataset's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.commands.datasets.snapshots import ZfsDiff, ZfsSnapshot
from host.probe.datasets.diff import parse_diff
from host.simulated import SimulatedHost
from tests.host.pool_bench import PoolBench

HOME = "tank/media"


@pytest.fixture
def home(tmp_path: Path) -> SimulatedHost:
    """A dataset with files, and the snapshot `one` of it."""
    bench = PoolBench(tmp_path)
    bench.create(("data", "mirror", 2))
    bench.host.write_file(HOME, b"Letters/neighbour.txt", b"hello\n")
    bench.host.write_file(HOME, b"Letters/old.txt", b"old\n")
    bench.host.run(ZfsSnapshot(names=(f"{HOME}@one",)))
    return bench.host


def changes(home: SimulatedHost, newer: str | None = None) -> dict[str, tuple[str, str]]:
    text = home.run(ZfsDiff(older=f"{HOME}@one", newer=newer)).stdout
    return {one.path.removeprefix("/tank/media/"): (one.change, one.kind) for one in parse_diff(text)}


def test_each_change_is_reported_and_the_folder_that_it_is_in(home: SimulatedHost) -> None:
    home.write_file(HOME, b"Letters/new one.txt", b"new\n")
    home.write_file(HOME, b"Letters/neighbour.txt", b"hello again\n")
    home.delete_file(HOME, b"Letters/old.txt")
    assert changes(home) == {
        "Letters": ("modified", "folder"),
        "Letters/neighbour.txt": ("modified", "file"),
        "Letters/new one.txt": ("added", "file"),
        "Letters/old.txt": ("removed", "file"),
    }


def test_a_new_folder_changes_the_one_that_it_is_in(home: SimulatedHost) -> None:
    home.write_file(HOME, b"Photos/\xff.jpg", b"x")
    home.run(ZfsSnapshot(names=(f"{HOME}@two",)))
    home.delete_file(HOME, b"Letters/old.txt")
    assert changes(home, newer=f"{HOME}@two") == {
        "": ("modified", "folder"),
        "Photos": ("added", "folder"),
        "Photos/\\xff.jpg": ("added", "file"),
    }


def test_where_nothing_changed_nothing_is_reported(home: SimulatedHost) -> None:
    assert changes(home) == {}
