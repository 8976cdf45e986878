"""Whole runs on the simulated machine: what they leave at both sides, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed
from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsDestroy
from host.commands.pools.zpool import VdevSpec, ZpoolCreate
from host.commands.replication.runs import (
    ForgetReplication,
    ListReplications,
    PlanReplication,
    ReadReplication,
    StartProof,
    StartReplication,
    StopReplication,
)
from host.commands.replication.streams import ReceiveStream
from host.commands.replication.task import Task
from host.replication.values import Replicated
from host.simulated import SimulatedHost
from tests.host.pool_bench import PoolBench

_report = msgspec.json.Decoder(Replicated)
TASK = Task(id="0123456789abcdef", source="tank/data", root="second", target="second/copies/data", raw=False)
TAG = f"nasweb-{TASK.id}"


@pytest.fixture
def host(tmp_path: Path) -> SimulatedHost:
    bench = PoolBench(tmp_path)
    bench.create(("data", "mirror", 2), data=0)
    second = (VdevSpec(role="data", layout="stripe", devices=(bench.parts[2],)),)
    found = bench.host
    found.run(ZpoolCreate(name="second", vdevs=second, mountpoint="/second"))
    for name in ("tank/data", "tank/data/a b", "tank/data/left out"):
        found.run(ZfsCreate(name=name))
    take(found, "one")
    return found


def take(host: SimulatedHost, tag: str) -> None:
    host.run(ZfsSnapshot(names=(f"tank/data@{tag}",), recursive=True))


def planned(host: SimulatedHost, task: Task = TASK) -> Replicated:
    return _report.decode(host.run(PlanReplication(task=task, key="0" * 16)).stdout)


def ran(host: SimulatedHost, task: Task = TASK) -> Replicated:
    host.run(StartReplication(task=task))
    host.pass_time(1000)
    return _report.decode(host.run(ReadReplication(task=task.id)).stdout)


def tags(host: SimulatedHost, name: str) -> list[str]:
    dataset = host.machine().pools[name.partition("/")[0]].datasets[name]
    return [snapshot.tag for snapshot in dataset.snapshots]


def test_a_first_copy_brings_the_tree_with_its_history(host: SimulatedHost) -> None:
    take(host, "two")
    before = planned(host)
    assert [one.first for one in before.datasets] == [True, True, True] and before.expected_bytes > 0
    done = ran(host)
    assert (done.verdict, [one.state for one in done.datasets]) == ("done", ["current"] * 3)
    assert tags(host, "second/copies/data/a b") == ["one", "two"]
    replica = host.machine().pools["second"].datasets["second/copies/data/a b"]
    assert (replica.values["readonly"], replica.values["canmount"], replica.mounted) == (
        "on",
        "noauto",
        False,
    )
    assert {one.newest for one in done.datasets} == {"two"}
    assert all(one.newest_at and one.newest_guid for one in done.datasets)


def test_what_follows_is_sent_alone_and_then_nothing(host: SimulatedHost) -> None:
    ran(host)
    take(host, "two")
    take(host, "three")
    assert ran(host).verdict == "done"
    assert tags(host, "second/copies/data") == ["one", "two", "three"]
    again = ran(host)
    assert (again.verdict, again.done_bytes, again.expected_bytes) == ("done", 0, 0)


def test_the_chain_holds_although_the_policy_destroys_what_was_sent(host: SimulatedHost) -> None:
    ran(host)
    for tag in ("two", "three", "four"):
        take(host, tag)
    host.run(ZfsDestroySnapshots(dataset="tank/data", tags=("one", "two"), recursive=True))
    assert ran(host).verdict == "done"
    assert tags(host, "second/copies/data") == ["one", "three", "four"]
    marks = [mark.name for mark in host.machine().pools["tank"].datasets["tank/data"].bookmarks]
    assert len(marks) == 1 and marks[0].startswith(f"{TAG}-")
    holds = {
        one.tag: list(one.holds)
        for one in host.machine().pools["second"].datasets["second/copies/data"].snapshots
    }
    assert holds == {"one": [], "three": [], "four": [TAG]}
    assert not any(one.holds for one in host.machine().pools["tank"].datasets["tank/data"].snapshots)


def test_what_is_left_out_is_not_sent_and_what_went_stays(host: SimulatedHost) -> None:
    task = msgspec.structs.replace(TASK, excluded=("tank/data/left out",))
    ran(host, task)
    assert sorted(host.machine().pools["second"].datasets) == [
        "second", "second/copies", "second/copies/data", "second/copies/data/a b",
    ]  # fmt: skip
    host.run(ZfsDestroy(name="tank/data/a b", recursive=True))
    take(host, "two")
    done = ran(host, task)
    assert (done.verdict, done.left_behind) == ("done", ("second/copies/data/a b",))
    assert tags(host, "second/copies/data/a b") == ["one"]


def test_a_replica_that_has_more_is_never_rolled_back(host: SimulatedHost) -> None:
    ran(host)
    host.run(ZfsSnapshot(names=("second/copies/data@own",)))
    take(host, "two")
    done = ran(host)
    (first, *others) = done.datasets
    assert (done.verdict, first.state, first.code, first.extra) == (
        "partly",
        "conflict",
        "target-ahead",
        ("own",),
    )
    assert {one.state for one in others} == {"current"}
    assert tags(host, "second/copies/data") == ["one", "own"]


def test_a_source_or_root_that_is_missing_is_said_before_anything_is_done(host: SimulatedHost) -> None:
    gone = planned(host, msgspec.structs.replace(TASK, source="tank/gone"))
    assert (gone.verdict, gone.code) == ("failed", "source-missing")
    away = planned(host, msgspec.structs.replace(TASK, root="third", target="third/x"))
    assert (away.verdict, away.code) == ("failed", "root-missing")


def test_one_at_a_time_and_stopped_it_has_changed_nothing(host: SimulatedHost) -> None:
    host.run(StartReplication(task=TASK))
    with pytest.raises(CommandFailed, match="already loaded"):
        host.run(StartReplication(task=TASK))
    assert f"run-{TASK.id}" in host.run(ListReplications()).stdout
    host.run(StopReplication(task=TASK.id))
    stopped = _report.decode(host.run(ReadReplication(task=TASK.id)).stdout)
    assert stopped.verdict == "stopped" and "second/copies" not in host.machine().pools["second"].datasets
    assert host.run(StopReplication(task=TASK.id)).exit == 5


@pytest.mark.parametrize("start", [StartReplication(task=TASK), StartProof(task=TASK)])
def test_a_start_may_take_minutes_and_systemd_gives_it_up_first_and_says_so(
    start: StartReplication | StartProof,
) -> None:
    assert "--property=TimeoutStartSec=280" in start.argv() and start.timeout_s == 300
    assert "--quiet" not in start.argv()  # with it systemd-run does not say that the time was over


@pytest.mark.parametrize("start", [StartReplication(task=TASK), StartProof(task=TASK)])
def test_a_start_names_its_unit_as_systemd_does(
    host: SimulatedHost, start: StartReplication | StartProof
) -> None:
    unit = next(one for one in start.argv() if one.startswith("--unit=")).removeprefix("--unit=")
    assert host.run(start).stderr == f"Running as unit: {unit}\n"


def test_the_end_of_a_task_takes_its_marks_off_and_nothing_else(host: SimulatedHost) -> None:
    ran(host)
    host.run(ForgetReplication(task=TASK))
    machine = host.machine()
    for pool in ("tank", "second"):
        for dataset in machine.pools[pool].datasets.values():
            assert dataset.bookmarks == [] and not any(one.holds for one in dataset.snapshots)
    assert tags(host, "second/copies/data") == ["one"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"target": "tank/data/x", "root": "tank"},
        {"target": "other/x"},
        {"source": "tank/../x"},
        {"target": "second/-o", "root": "second/-o x"},
        {"id": "../../etc"},
    ],
)
def test_a_task_that_loops_or_leaves_its_root_is_none(wrong: dict[str, str]) -> None:
    text = msgspec.json.encode(msgspec.to_builtins(TASK) | wrong)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Task)


def test_its_own_snapshots_stay_at_the_target_and_one_at_the_source(host: SimulatedHost) -> None:
    task = msgspec.structs.replace(TASK, own_snapshots=True)
    for _ in range(3):
        assert ran(host, task).verdict == "done"
    first, *here = tags(host, "tank/data")
    assert first == "one" and len(here) == 1 and here[0].startswith("replication-01234567_")
    (one, *there) = tags(host, "second/copies/data")
    assert one == "one" and len(there) == 3 and there[-1] == here[0]


def test_no_snapshots_pile_up_while_the_target_is_away(host: SimulatedHost) -> None:
    away = msgspec.structs.replace(TASK, root="third", target="third/x", own_snapshots=True)
    found = ran(host, away)
    assert (found.verdict, found.code) == ("failed", "root-missing")
    assert tags(host, "tank/data") == ["one"]


def test_whatever_a_stream_was_said_to_be_root_does_nothing_that_it_brings() -> None:
    for volume in (False, True):
        argv = ReceiveStream(name="vault/x", volume=volume).argv()
        left_out = {argv[place + 1] for place, word in enumerate(argv) if word == "-x"}
        hostile = {"mountpoint", "sharenfs", "sharesmb", "exec", "setuid", "devices", "zoned", "snapdev"}
        assert hostile <= left_out, volume
        assert ("canmount" in left_out) is volume
        assert ("canmount=noauto" in argv) is not volume  # zfs refuses to set it on a volume


@pytest.mark.parametrize("name", ["tank/.nasweb", "tank/.nasweb-state", "tank/.nasweb-state/var"])
def test_what_holds_the_settings_or_the_system_is_never_copied(name: str) -> None:
    whole = msgspec.structs.replace(TASK, source="tank", target="second/tank")
    assert whole.wants("tank/data") and not whole.wants(name)
    with pytest.raises(ValueError, match="settings or the system"):
        Task(id=TASK.id, source=name, root="second", target="second/x")
    with pytest.raises(ValueError, match="settings or the system"):
        Task(id=TASK.id, source="second/x", root=name, target=f"{name}/x")
