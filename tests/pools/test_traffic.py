"""What datasets are read and written: which are followed, and what a day's record holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from host.inventory import Dataset, Inventory
from host.kernel.objsets import objset_path
from pools.datasets import traffic
from pools.datasets.traffic import Traffic
from tests import made

AT = datetime(2026, 11, 25, 12, 0, tzinfo=UTC)


class Files:
    """Two texts of the kernel that a test turns on."""

    def __init__(self) -> None:
        self.uptime = 1000.0
        self.moved: dict[str, tuple[str, int, int, int]] = {}  # by path: name, read, written, commits

    def set(self, dataset: Dataset, read: int, written: int, commits: int = 0) -> None:
        path = objset_path(dataset.pool, dataset.number("objsetid"))
        self.moved[path] = (dataset.name, read, written, commits)

    def read(self, path: str) -> str:
        if path == "/proc/uptime":
            return f"{self.uptime} 1.0\n"
        if (found := self.moved.get(path)) is None:
            return ""
        name, read, written, commits = found
        rows = ("head", "name type data", f"dataset_name 7 {name}", "writes 4 1", f"nwritten 4 {written}")
        return "\n".join((*rows, "reads 4 1", f"nread 4 {read}", f"zil_commit_count 4 {commits}"))

    def names(self, folder: str) -> list[str]:
        return []


def dataset(name: str, number: int) -> Dataset:
    found = made.dataset(name, objsetid=str(number), used="7000")
    return msgspec.structs.replace(found, guid=str(number))


FILMS, NOTES = dataset("tank/films", 100), dataset("tank/notes", 200)


@pytest.fixture
def machine() -> Inventory:
    return msgspec.structs.replace(made.inventory(), datasets=(FILMS, NOTES))


def round_of(one: Traffic, files: Files, machine: Inventory, now: datetime) -> dict[str, float]:
    return {name: value for name, _, value in one.points(machine, files, now) if "used" not in name}


def test_only_what_moved_is_followed_and_then_has_its_zeros(machine: Inventory) -> None:
    one, files = Traffic(), Files()
    files.set(FILMS, 0, 0)
    files.set(NOTES, 0, 0)
    assert round_of(one, files, machine, AT) == {}, "one round says nothing"
    files.uptime += 60
    files.set(FILMS, 6_000_000, 60_000_000)
    files.set(NOTES, 4096, 0)
    moved = {"dataset.read_bytes:100": 1e5, "dataset.write_bytes:100": 1e6}
    assert round_of(one, files, machine, AT + timedelta(minutes=1)) == moved
    files.uptime += 60
    rests = {"dataset.read_bytes:100": 0.0, "dataset.write_bytes:100": 0.0}
    assert round_of(one, files, machine, AT + timedelta(minutes=2)) == rests


def test_commits_are_those_of_all_datasets_of_a_pool(machine: Inventory) -> None:
    machine = msgspec.structs.replace(machine, pools=(made.pool("tank"), made.pool("other", guid="2")))
    guid = machine.pools[0].guid
    one, files = Traffic(), Files()
    files.set(FILMS, 0, 0, commits=100)
    files.set(NOTES, 0, 0, commits=50)
    assert round_of(one, files, machine, AT) == {}
    files.uptime += 60
    files.set(FILMS, 0, 0, commits=220)
    files.set(NOTES, 0, 0, commits=0)  # mounted anew
    assert round_of(one, files, machine, AT + timedelta(minutes=1)) == {f"pool.commits:{guid}": 2.0}


def test_what_was_mounted_anew_and_a_long_pause_say_nothing(machine: Inventory) -> None:
    one, files = Traffic(), Files()
    files.set(FILMS, 9_000_000, 9_000_000)
    round_of(one, files, machine, AT)
    files.uptime += 60
    files.set(FILMS, 1_000_000, 1_000_000)
    assert round_of(one, files, machine, AT) == {}
    files.uptime += 3600
    files.set(FILMS, 90_000_000, 90_000_000)
    assert round_of(one, files, machine, AT) == {}


def test_a_clock_that_is_set_changes_no_rate(machine: Inventory) -> None:
    one, files = Traffic(), Files()
    files.set(FILMS, 0, 0)
    round_of(one, files, machine, AT)
    files.uptime += 60
    files.set(FILMS, 6_000_000, 0)
    assert round_of(one, files, machine, AT - timedelta(days=1))["dataset.read_bytes:100"] == 1e5


def test_no_more_are_followed_than_memory_was_given_for(
    machine: Inventory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(traffic, "_FOLLOWED", 1)
    one, files = Traffic(), Files()
    for dataset in (FILMS, NOTES):
        files.set(dataset, 0, 0)
    round_of(one, files, machine, AT)
    files.uptime += 60
    files.set(FILMS, 6_000_000, 0)
    files.set(NOTES, 600_000, 0)
    assert {name[-3:] for name in round_of(one, files, machine, AT)} == {"100"}, "the busiest of them"


def test_what_each_holds_is_recorded_once_a_day(machine: Inventory) -> None:
    one, files = Traffic(), Files()

    def used(now: datetime) -> list[tuple[str, int, float]]:
        return [(name, time, value) for name, time, value in one.points(machine, files, now)]

    assert used(AT) == [(f"dataset.used_bytes:{guid}", int(AT.timestamp()), 7000) for guid in (100, 200)]
    assert used(AT + timedelta(hours=11)) == []
    assert len(used(AT + timedelta(hours=13))) == 2
