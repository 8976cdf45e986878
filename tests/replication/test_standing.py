"""How a replication stands, where somebody goes to resolve what is in its way, and which copies there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import pytest

from host.inventory import Inventory
from host.replication.values import Replica, Replicated, Replicating, Replication, Target
from jobs.schedules.sentence import sentence
from replication.models import RunRow, TaskRow
from replication.replications import amount, copies, ways_out
from replication.replications.standing import standing_of
from replication.replications.words import aim_words, run_words
from tests import made

NOW = datetime(2026, 11, 25, 20, 0, tzinfo=UTC)
TASK = Replication(
    id=4, key="0" * 16, name="photos", source="tank/photos", target_id=1, target="vault/photos",
    excluded=("tank/photos/cache",),
)  # fmt: skip


def machine(**target: Any) -> Inventory:
    values: dict[str, Any] = {"id": 1, "name": "attic", "kind": "pool", "dataset": "vault"}
    to = Target(**(values | target))
    names = ("tank", "tank/photos", "vault", "vault/photos")
    found = made.inventory(datasets=tuple(made.dataset(name) for name in names))
    return msgspec.structs.replace(found, replicating=Replicating(targets=(to,), tasks=(TASK,)))


def report(verdict: Any = "done", code: str = "", datasets: tuple[Replica, ...] = ()) -> Replicated:
    at = NOW.isoformat()
    return Replicated(
        task=TASK.key, started_at=at, updated_at=at, verdict=verdict, code=code, datasets=datasets
    )


def row(hours: float | None, found: Replicated | None = None, **more: Any) -> TaskRow:
    copied = None if hours is None else NOW - timedelta(hours=hours)
    return TaskRow(
        pk=4, made_at=NOW - timedelta(hours=40), copied_at=copied,
        report=None if found is None else msgspec.to_builtins(found), **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("one", "enabled", "state"),
    [
        (row(1, report()), True, "current"),
        (row(27, report()), True, "late"),
        (row(27, report("failed")), True, "failed"),
        (row(1, report("partly")), True, "partly"),
        (row(1, report("stopped")), True, "stopped"),
        (row(27, report()), False, "paused"),
        (row(27, report("failed"), running=True), True, "running"),
        (row(None), True, "late"),
    ],
)
def test_one_thing_is_said_of_it(one: TaskRow, enabled: bool, state: str) -> None:
    task = msgspec.structs.replace(TASK, enabled=enabled)
    assert standing_of(task, one, NOW).state == state


def conflict(code: str, **more: Any) -> Replica:
    return Replica(source="tank/photos", target="vault/photos", state="conflict", code=code, **more)


@pytest.mark.parametrize(
    ("code", "href"),
    [
        ("target-ahead", "/rollback/snapshot/vault/photos%40one/"),
        ("target-written", "/rollback/snapshot/vault/photos%40one/"),
        ("no-common-snapshot", "/rename/dataset/vault/photos/"),
        ("key-missing", "/keys/tank/photos/"),
        ("nothing-to-send", "/datasets/tank/photos/"),
        ("stale-token", None),
    ],
)
def test_what_stands_in_the_way_has_a_page_that_resolves_it(code: str, href: str | None) -> None:
    replica = conflict(code, common="one")
    link = ways_out.of_replica(replica, TASK, machine())
    assert (None if link is None else link.href) == href
    assert ways_out.of_run(report("partly", datasets=(replica,)), TASK, machine()) == link


def test_what_lies_on_another_machine_cannot_be_resolved_here() -> None:
    there = machine(kind="ssh")
    assert ways_out.of_replica(conflict("no-common-snapshot"), TASK, there) is None
    assert ways_out.of_run(report("failed", "root-missing"), TASK, there) is None
    link = ways_out.of_replica(conflict("target-ahead", common="one"), TASK, there)
    assert link is not None and link.href == f"/replication/{TASK.id}/#settings", "but it can be copied back"
    link = ways_out.of_run(report("failed", "connection"), TASK, there)
    assert link is not None and link.href == "/replication/targets/"


def test_a_full_target_and_many_behind_are_said_in_words() -> None:
    full = Replica(
        source="tank/photos", target="vault/photos", state="failed",
        said="cannot receive incremental stream: out of space",
    )  # fmt: skip
    said = run_words(report("failed", datasets=(full, conflict("other-kind"), conflict("other-kind"))))
    assert said.startswith("There is no room left for vault/photos. Make room there.")
    assert said.endswith("2 more datasets are behind.")


def test_copies_are_those_of_each_dataset() -> None:
    one = copies.Copies(found=((TASK, "attic", row(1), {"tank/photos": int(NOW.timestamp()) - 60}),), now=NOW)
    (copy,) = one.of("tank/photos")
    assert (copy.target, copy.dataset, copy.late) == ("attic", "vault/photos", False)
    assert copy.copied_at == NOW - timedelta(seconds=60)
    (below,) = one.of("tank/photos/raw")
    assert (below.dataset, below.copied_at, below.late) == ("vault/photos/raw", None, True)
    assert [one.of(name) for name in ("tank", "tank/photos2", "tank/photos/cache/x")] == [(), (), ()]
    found = copies.replica_of("vault/photos/raw", machine())
    assert found is not None and found.name == "photos"
    assert copies.replica_of("vault/photos/raw", machine(kind="ssh")) is None


def test_the_rate_is_that_of_a_run_that_sent_enough() -> None:
    def ran(sent: int, seconds: int) -> RunRow:
        return RunRow(started=NOW, finished=NOW + timedelta(seconds=seconds), sent_bytes=sent)

    assert amount.rate_of([ran(100, 1), ran(200 << 20, 0), ran(100 << 20, 10)]) == (10 << 20)
    assert amount.rate_of([]) is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("0 * * * *", "every hour"),
        ("7 */6 * * *", "every 6 hours at :07"),
        ("0 */5 * * *", "at 0 */5 * * *"),  # not the same distance over midnight
    ],
)
def test_hours_are_said_in_words(line: str, said: str) -> None:
    assert sentence(line) == said


def test_an_aim_is_said_in_days_where_it_is_some() -> None:
    assert [aim_words(hours) for hours in (1, 24, 26, 48, 168)] == [
        "1 hour", "24 hours", "26 hours", "2 days", "7 days",
    ]  # fmt: skip
