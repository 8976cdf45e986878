"""The index of snapshots: brought up to date by two commands, where something changed or may have."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from host.base import CommandFailed, Result
from host.commands.base import Command
from host.commands.datasets.marks import ZfsGetMarks
from host.commands.datasets.snapshots import ZfsListSnapshots, ZfsSnapshotDetails
from host.commands.datasets.zfs import MARK
from host.inventory import Inventory, Snapshot
from jobs.index import reading, refreshing
from jobs.index.reading import SnapshotFilter
from jobs.models import IndexedDataset, IndexedSnapshot
from jobs.needs import SnapshotNeeds as Some
from tests import made

NOON = datetime(2126, 11, 21, 12, 0, 0, tzinfo=UTC)  # no test runs then: what is probed now is long past
pytestmark = pytest.mark.django_db


class Nas:
    """A machine with snapshots alone; `asked` has the commands that it was asked to run."""

    kind = "simulated"

    def __init__(self) -> None:
        self.snapshots: dict[str, Snapshot] = {}
        self.datasets: dict[str, dict[str, str]] = {"tank": {}, "tank/a": {}, "tank/b": {}}
        self.asked: list[Command] = []
        self.missing: set[str] = set()
        self.received: set[str] = set()  # snapshots whose mark came with a copy

    def take(self, name: str, at: datetime, **values: Any) -> None:
        txg = len(self.snapshots) + 10
        self.snapshots[name] = made.snapshot(name, createtxg=txg, created=int(at.timestamp()), **values)
        self.changed(name.partition("@")[0], at)

    def changed(self, dataset: str, at: datetime) -> None:
        self.datasets[dataset]["snapshots_changed"] = str(int(at.timestamp()))

    def inventory(self, at: datetime) -> Inventory:
        datasets = tuple(
            msgspec.structs.replace(made.dataset(name, **properties), guid=str(1000 + place))
            for place, (name, properties) in enumerate(self.datasets.items())
        )
        inventory = made.inventory(pools=(made.pool(),), datasets=datasets)
        return msgspec.structs.replace(inventory, as_of=at.isoformat())

    def probe(self, at: datetime) -> Inventory:
        inventory = self.inventory(at)
        refreshing.refresh(inventory, self)
        return inventory

    def rename(self, **names: str) -> None:
        """Give datasets of `tank` new names, all at once; each keeps its guid, which is that of its place."""
        now = {f"tank/{old}": f"tank/{new}" for old, new in names.items()}
        self.datasets = {now.get(name, name): values for name, values in self.datasets.items()}
        renamed = [
            msgspec.structs.replace(one, name=f"{now.get(one.dataset, one.dataset)}@{one.tag}")
            for one in self.snapshots.values()
        ]
        self.snapshots = {one.name: one for one in renamed}

    def run(self, command: Command) -> Result:
        self.asked.append(command)
        if isinstance(command, ZfsListSnapshots):
            there = [name for name in command.datasets if name not in self.missing]
            lines = [
                f"{one.name}\t{one.guid}\t{one.createtxg}\n"
                for one in sorted(self.snapshots.values(), key=lambda one: one.name)
                if one.dataset in there
            ]
            return Result(exit=int(len(there) < len(command.datasets)), stdout="".join(lines))
        if isinstance(command, ZfsSnapshotDetails):
            found = [self.snapshots[name] for name in command.names if name in self.snapshots]
            lines = [
                f"{s.name}\t{s.guid}\t{s.createtxg}\t{s.created}\t0\t{s.referenced_bytes}\t{s.holds}\toff\t-\t"
                f"{s.mark or '-'}\n"
                for s in found
            ]
            return Result(exit=int(len(found) < len(command.names)), stdout="".join(lines))
        if isinstance(command, ZfsGetMarks):
            source = {name: "received" if name in self.received else "local" for name in command.names}
            lines = [
                f"{name}\tuserrefs\t0\t-\n{name}\t{MARK}\t{self.snapshots[name].mark}\t{source[name]}\n"
                for name in command.names
            ]
            return Result(exit=0, stdout="".join(lines))
        raise CommandFailed(command, Result(exit=1))

    def listed(self) -> list[str]:
        """The datasets that were listed since this was asked last."""
        found = [name for one in self.asked if isinstance(one, ZfsListSnapshots) for name in one.datasets]
        self.asked.clear()
        return found


@pytest.fixture
def nas() -> Nas:
    return Nas()


def tags(dataset: str = "tank/a") -> list[str]:
    return list(
        IndexedSnapshot.objects.filter(dataset__name=dataset)
        .order_by("createtxg")
        .values_list("tag", flat=True)
    )


def later(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def test_a_second_snapshot_within_one_second_is_seen(nas: Nas, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(refreshing, "_now_s", lambda: int(NOON.timestamp()))
    nas.take("tank/a@one", later(0.1))
    nas.probe(later(0.2))
    nas.take("tank/a@two", later(0.4))  # leaves the dataset's time as it was
    nas.probe(later(0.7))
    assert tags() == ["one", "two"]


def test_what_changes_after_the_probe_began_is_seen(nas: Nas, monkeypatch: pytest.MonkeyPatch) -> None:
    # The probe begins at noon, zfs shows a change three seconds later; one more follows in that second.
    monkeypatch.setattr(refreshing, "_now_s", lambda: int(later(3).timestamp()))
    nas.take("tank/a@one", later(3))
    nas.probe(NOON)
    nas.take("tank/a@two", later(3.9))
    nas.probe(later(15))
    assert tags() == ["one", "two"]


def test_what_did_not_change_is_not_listed_again(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    for seconds in (2, 4, 6):
        nas.probe(later(seconds))
    assert nas.listed() == ["tank", "tank/a", "tank/b"]


def test_a_refresh_takes_two_commands_however_many_datasets_changed(nas: Nas) -> None:
    nas.probe(NOON)
    nas.asked.clear()
    for dataset in nas.datasets:
        nas.take(f"{dataset}@now", later(2))
    nas.probe(later(5))
    assert [type(command).__name__ for command in nas.asked] == ["ZfsListSnapshots", "ZfsSnapshotDetails"]
    assert [tags(dataset) for dataset in nas.datasets] == [["now"], ["now"], ["now"]]


def test_a_mark_that_came_with_a_copy_is_none(nas: Nas) -> None:
    for name in ("tank/a@ours", "tank/b@copy"):
        nas.take(name, NOON, mark="17")
    nas.received.add("tank/b@copy")
    inventory = nas.probe(NOON + timedelta(minutes=1))
    assert dict(IndexedSnapshot.objects.values_list("tag", "mark")) == {"ours": "17", "copy": ""}
    known = reading.with_fresh(inventory, Some(datasets=("tank/a", "tank/b")), nas)
    assert {one.tag: one.mark for ones in known.snapshots.values() for one in ones} == {
        "ours": "17",
        "copy": "",
    }


def test_of_known_snapshots_nothing_is_asked_again(nas: Nas) -> None:
    for number in range(5):
        nas.take(f"tank/a@{number}", later(number))
    nas.probe(later(10))
    nas.take("tank/a@new", later(12))
    nas.asked.clear()
    nas.probe(later(15))
    assert nas.asked[1] == ZfsSnapshotDetails(names=("tank/a@new",))


def test_what_is_gone_leaves_the_index_and_what_was_renamed_keeps_its_row(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    nas.take("tank/a@two", NOON)
    nas.probe(later(2))
    row = IndexedSnapshot.objects.get(tag="two")
    del nas.snapshots["tank/a@one"]
    renamed = nas.snapshots.pop("tank/a@two")
    nas.snapshots["tank/a@deux"] = msgspec.structs.replace(renamed, name="tank/a@deux")
    nas.changed("tank/a", later(4))
    nas.probe(later(6))
    assert tags() == ["deux"] and IndexedSnapshot.objects.get().pk == row.pk


def test_a_dataset_that_goes_takes_its_snapshots_along(nas: Nas) -> None:
    nas.take("tank/b@one", NOON)
    nas.probe(later(2))
    del nas.datasets["tank/b"]
    nas.probe(later(4))
    assert tags("tank/b") == [] and not IndexedSnapshot.objects.exists()


def test_a_renamed_dataset_keeps_its_snapshots_and_is_listed_once_more(nas: Nas) -> None:
    nas.take("tank/b@one", NOON)
    nas.probe(later(2))
    row = IndexedSnapshot.objects.get()
    nas.listed()
    nas.rename(b="c")
    nas.probe(later(4))
    assert (tags("tank/c"), nas.listed()) == (["one"], ["tank/c"])
    nas.probe(later(6))
    assert nas.listed() == [] and IndexedSnapshot.objects.get().pk == row.pk


def test_a_dataset_is_not_left_with_what_was_listed_of_another_that_took_its_name(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    nas.take("tank/b@two", NOON)
    probed = nas.inventory(later(2))
    nas.rename(a="b", b="a")
    refreshing.refresh(probed, nas)
    nas.probe(later(4))
    assert (tags("tank/a"), tags("tank/b")) == (["two"], ["one"])


def test_a_promoted_clone_is_listed_though_nothing_says_that_it_changed(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    nas.datasets["tank/b"]["origin"] = "tank/a@one"
    nas.probe(later(2))
    moved = nas.snapshots.pop("tank/a@one")
    nas.snapshots["tank/b@one"] = msgspec.structs.replace(moved, name="tank/b@one")
    nas.datasets["tank/a"] = {"origin": "tank/b@one", "snapshots_changed": str(int(later(3).timestamp()))}
    nas.datasets["tank/b"] = {}
    nas.probe(later(6))
    assert (tags("tank/a"), tags("tank/b")) == ([], ["one"])


def test_of_a_suspended_pool_nothing_is_listed_and_the_index_stays(nas: Nas) -> None:
    # zfs list refuses there, and with it the whole probe would be lost: nobody would be notified.
    nas.take("tank/a@one", NOON)
    inventory = nas.probe(later(2))
    nas.listed()
    suspended = msgspec.structs.replace(
        inventory, pools=(made.pool(state="SUSPENDED"),), as_of=later(4).isoformat()
    )
    IndexedDataset.objects.update(settled=False)
    refreshing.refresh(suspended, nas)
    assert (nas.listed(), tags()) == ([], ["one"])


def test_a_dataset_that_cannot_be_opened_keeps_what_is_known_and_is_tried_again(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    nas.take("tank/b@one", NOON)
    nas.probe(later(2))
    nas.missing.add("tank/b")
    for name in ("tank/a", "tank/b"):
        nas.changed(name, later(4))
    nas.probe(later(6))
    assert (tags("tank/a"), tags("tank/b")) == (["one"], ["one"])
    nas.missing.clear()
    nas.listed()
    nas.probe(later(8))
    assert nas.listed() == ["tank/a", "tank/b"]


def test_a_refusal_leaves_the_index_as_it_was(nas: Nas, monkeypatch: pytest.MonkeyPatch) -> None:
    nas.take("tank/a@one", NOON)
    nas.probe(later(2))
    nas.take("tank/a@two", later(4))

    def fail(command: Command) -> Result:
        raise CommandFailed(command, Result(exit=2, stderr="no"))

    with monkeypatch.context() as broken:
        broken.setattr(nas, "run", fail)
        nas.probe(later(6))
    assert tags() == ["one"]
    nas.probe(later(8))
    assert tags() == ["one", "two"]


def test_what_no_time_was_left_for_comes_with_the_next_probe(
    nas: Nas, monkeypatch: pytest.MonkeyPatch
) -> None:
    nas.take("tank/a@one", NOON)
    monkeypatch.setattr(refreshing, "_BUDGET_S", -1.0)
    nas.probe(later(2))
    assert tags() == []
    monkeypatch.undo()
    nas.probe(later(4))
    assert tags() == ["one"]


def test_counts_are_kept_by_dataset(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    nas.take("tank/a@two", later(60))
    nas.probe(later(70))
    tallies = reading.tallies()
    assert (tallies["1001"].count, tallies["1001"].newest) == (2, int(later(60).timestamp()))
    assert (tallies["1000"].count, tallies["1000"].newest) == (0, None)


def test_pages_stay_in_step_while_snapshots_come_and_go(nas: Nas) -> None:
    for number in range(5):
        nas.take(f"tank/a@{number}", later(number))
    inventory = nas.probe(later(10))
    first, after = reading.page(inventory, "tank/a", limit=2)
    del nas.snapshots["tank/a@3"]
    nas.take("tank/a@new", later(12))
    inventory = nas.probe(later(15))
    second, after = reading.page(inventory, "tank/a", limit=2, after=after)
    third, end = reading.page(inventory, "tank/a", limit=2, after=after)
    assert [[one.tag for one in part] for part in (first, second, third)] == [["4", "3"], ["2", "1"], ["0"]]
    assert end is None
    oldest, _ = reading.page(inventory, "tank/a", limit=2, newest_first=False)
    assert [one.tag for one in oldest] == ["0", "1"]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (SnapshotFilter(text="ON"), ["one"]),
        (SnapshotFilter(kind="policy"), ["auto"]),
        (SnapshotFilter(kind="manual"), ["one", "held"]),
        (SnapshotFilter(held=True), ["held"]),
        (SnapshotFilter(since=int(NOON.timestamp()) + 2), ["auto"]),
        (SnapshotFilter(until=int(NOON.timestamp()) + 1), ["one"]),
        (SnapshotFilter(text="%"), []),
    ],
)
def test_a_page_can_be_narrowed_down(nas: Nas, chosen: SnapshotFilter, expected: list[str]) -> None:
    nas.take("tank/a@one", NOON)
    nas.take("tank/a@held", later(1), holds=2)
    nas.take("tank/a@auto", later(2), mark="1")
    inventory = nas.probe(later(10))
    found, _ = reading.page(inventory, "tank/a", newest_first=False, chosen=chosen)
    assert [one.tag for one in found] == expected


def test_clones_are_known_from_the_datasets(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    nas.datasets["tank/b"]["origin"] = "tank/a@one"
    inventory = nas.probe(later(2))
    found = reading.find(inventory, "tank/a@one")
    assert found is not None and found.clones == ("tank/b",)


def test_a_plan_is_given_what_it_wants_and_no_more(nas: Nas) -> None:
    for name in ("tank@one", "tank/a@one", "tank/a@two"):
        nas.take(name, NOON)
    inventory = nas.probe(later(2))
    by_tag = reading.with_known(inventory, Some(datasets=("tank",), tags=("one",))).snapshots
    assert {name: [one.tag for one in found] for name, found in by_tag.items()} == {
        "tank": ["one"], "tank/a": ["one"], "tank/b": [],
    }  # fmt: skip
    alone = reading.with_known(inventory, Some(datasets=("tank/a",), everywhere_below=False)).snapshots
    assert {name: [one.tag for one in found] for name, found in alone.items()} == {"tank/a": ["one", "two"]}


def test_a_plan_of_the_worker_knows_of_holds_that_the_index_does_not(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    inventory = nas.probe(later(2))
    held = msgspec.structs.replace(nas.snapshots["tank/a@one"], holds=1)  # moves no `snapshots_changed`
    nas.snapshots["tank/a@one"] = held
    assert reading.with_known(inventory, Some(datasets=("tank/a",))).snapshots["tank/a"][0].holds == 0
    fresh = reading.with_fresh(inventory, Some(datasets=("tank/a",)), nas)
    assert fresh.snapshots["tank/a"][0].holds == 1
    assert reading.with_known(inventory, Some(datasets=("tank/a",))).snapshots["tank/a"][0].holds == 1


def test_what_a_plan_of_the_worker_did_not_find_is_listed_again(nas: Nas) -> None:
    nas.take("tank/a@one", NOON)
    inventory = nas.probe(later(2))
    del nas.snapshots["tank/a@one"]  # unnoticed
    assert reading.with_fresh(inventory, Some(datasets=("tank/a",)), nas).snapshots["tank/a"] == ()
    nas.probe(later(4))
    assert tags() == []


def test_a_plan_that_wants_nothing_asks_nothing(nas: Nas) -> None:
    inventory = nas.probe(NOON)
    nas.asked.clear()
    assert reading.with_fresh(inventory, Some(), nas).snapshots == {} and nas.asked == []
