"""The index of snapshots: re-listed where `snapshots_changed` moved, and where it cannot tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from host.inventory import Snapshot
from jobs import cache
from pools.snapshots import index
from tests import made
from tests.jobs.composition import Machine

NOON = datetime(2126, 11, 21, 12, 0, 0, tzinfo=UTC)  # later than anything that other tests have cached


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[Snapshot]]:
    """What the machine has, by dataset; the key `asked` counts how often it was listed."""
    found: dict[str, Any] = {"asked": []}

    def listing(host: object, dataset: str, *, recursive: bool = False) -> list[Snapshot]:
        found["asked"].append(dataset)
        return list(found.get(dataset, []))

    monkeypatch.setattr(cache, "list_snapshots", listing)
    return found


def look(machine: Machine, at: datetime, changed: datetime) -> None:
    dataset = made.dataset("tank/a", snapshots_changed=str(int(changed.timestamp())))
    inventory = msgspec.structs.replace(machine.inventory, as_of=at.isoformat(), datasets=(dataset,))
    cache.store(inventory, machine)


def names(dataset: str) -> list[str]:
    return [snapshot.tag for snapshot in index.page(dataset)[0]]


def test_a_second_snapshot_within_one_second_is_seen(machine: Machine, there: dict[str, Any]) -> None:
    there["tank/a"] = [made.snapshot("tank/a@one")]
    look(machine, NOON + timedelta(milliseconds=200), NOON)
    there["tank/a"].append(made.snapshot("tank/a@two"))
    look(machine, NOON + timedelta(milliseconds=700), NOON)
    assert names("tank/a") == ["one", "two"]


def test_what_did_not_change_is_not_listed_again(machine: Machine, there: dict[str, Any]) -> None:
    there["tank/a"] = [made.snapshot("tank/a@one")]
    for seconds in (2, 4, 6):
        look(machine, NOON + timedelta(seconds=seconds), NOON)
    assert there["asked"].count("tank/a") == 1
    assert names("tank/a") == ["one"]


def test_snapshots_of_a_dataset_that_is_gone_leave_the_index(machine: Machine, there: dict[str, Any]) -> None:
    there["tank/a"] = [made.snapshot("tank/a@one")]
    look(machine, NOON + timedelta(seconds=2), NOON)
    inventory = msgspec.structs.replace(
        machine.inventory, as_of=(NOON + timedelta(seconds=4)).isoformat(), datasets=()
    )
    cache.store(inventory, machine)
    assert names("tank/a") == []


def test_a_page_tells_where_the_next_one_starts(machine: Machine, there: dict[str, Any]) -> None:
    there["tank/a"] = [made.snapshot(f"tank/a@s{number}") for number in range(5)]
    look(machine, NOON + timedelta(seconds=2), NOON)
    first, following = index.page("tank/a", limit=3)
    rest, end = index.page("tank/a", after=following, limit=3)
    assert ([s.tag for s in first], [s.tag for s in rest], end) == (["s0", "s1", "s2"], ["s3", "s4"], None)
