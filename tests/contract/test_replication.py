"""Replication between two pools of one machine: the unit, what it sends, and what it leaves alone."""

from __future__ import annotations

import time
from collections.abc import Iterator

import msgspec
import pytest

from host.base import CommandFailed, Host
from host.commands.datasets.keys import ZfsUnloadKey
from host.commands.datasets.snapshots import ZfsDestroySnapshots, ZfsListSnapshots, ZfsSnapshot
from host.commands.datasets.zfs import ZfsCreate, ZfsGetReceived, ZfsSet, ZfsUnmount
from host.commands.replication.runs import (
    FinishReplication,
    ForgetReplication,
    ListReplications,
    PlanReplication,
    ReadReplication,
    StartProof,
    StartReplication,
    StopProof,
)
from host.commands.replication.task import Task
from host.inventory import Dataset
from host.probe.datasets.received import parse_zfs_get_received
from host.probe.datasets.snapshots import parse_list, read_holds
from host.replication.values import Replicated
from tests.contract.bench import POOL, SECOND_POOL, Bench
from tests.contract.secrets import PHRASE, reference
from tests.contract.waiting import first_answer

COPIES = f"{SECOND_POOL}/copies"
TASK = Task(id="c0de0000c0de0000", source=f"{POOL}/data", root=SECOND_POOL, target=f"{COPIES}/data", raw=True)
ANEW = Task(
    id="c0de0000c0de0001", source=f"{POOL}/data", root=POOL, target=f"{POOL}/data.rewritten", raw=False,
    anew=True, own_snapshots=True,
)  # fmt: skip
TAG = f"nasweb-{TASK.id}"
_report = msgspec.json.Decoder(Replicated)


@pytest.fixture
def tree(bench: Bench) -> Iterator[Bench]:
    """Two pools, in one of them a file system with a child and a volume, and a snapshot of all."""
    bench.create(("data", "stripe", 1))
    bench.create(("data", "stripe", 1), name=SECOND_POOL, first=1)
    bench.host.run(
        ZfsCreate(name=f"{POOL}/data", properties={"recordsize": "65536", "nasweb:policy": "hourly"})
    )
    bench.host.run(ZfsCreate(name=f"{POOL}/data/a b"))
    bench.host.run(ZfsCreate(name=f"{POOL}/data/volume", volume_bytes=16 << 20, sparse=True))
    take(bench.host, "one")
    yield bench
    bench.host.run(ForgetReplication(task=TASK))  # else its holds keep the pools


def take(host: Host, tag: str) -> None:
    host.run(ZfsSnapshot(names=(f"{POOL}/data@{tag}",), recursive=True))


def planned(host: Host, task: Task = TASK) -> Replicated:
    return _report.decode(host.run(PlanReplication(task=task, key="0123456789abcdef")).stdout)


def ran(host: Host, task: Task = TASK) -> Replicated:
    """The report of a run, once it has ended."""
    host.run(StartReplication(task=task))

    def over() -> Replicated | None:
        report = _report.decode(host.run(ReadReplication(task=task.id)).stdout)
        return report if report.verdict is not None and is_over(host, task) else None

    return first_answer(host, over)


def is_over(host: Host, task: Task = TASK) -> bool:
    """Neither a run nor a proof of it goes on."""
    return task.id not in host.run(ListReplications()).stdout


def received_by(dataset: Dataset) -> dict[str, str]:
    """What a probe says that it received, by property."""
    return {name: found.received for name, found in dataset.properties.items() if found.received is not None}


def guids(host: Host, name: str) -> list[tuple[str, str]]:
    """Names and guids of the snapshots, oldest first."""
    listed = sorted(
        parse_list(host.run(ZfsListSnapshots(datasets=(name,))).stdout), key=lambda one: one.createtxg
    )
    return [(one.tag, one.guid) for one in listed]


@pytest.mark.core
def test_a_tree_arrives_with_its_history(tree: Bench) -> None:
    host = tree.host
    take(host, "two")
    tree.datasets()  # what comes after this is new
    before = planned(host)
    assert [(one.first, one.state) for one in before.datasets] == [(True, "waiting")] * 3
    assert all(one.expected_bytes for one in before.datasets) and before.available_bytes
    done = ran(host)
    assert (done.verdict, done.words, [one.said for one in done.datasets]) == ("done", "", [""] * 3)
    for name in ("data", "data/a b", "data/volume"):
        assert guids(host, f"{COPIES}/{name}") == guids(host, f"{POOL}/{name}")
    copy = tree.dataset(f"{COPIES}/data")
    assert (copy.value("readonly"), copy.value("canmount"), copy.value("mounted")) == ("on", "noauto", "no")
    assert copy.value("recordsize") == "65536" and "nasweb:policy" not in copy.properties
    assert tree.dataset(COPIES).value("canmount") == "off"
    names = tuple(f"{COPIES}/{name}" for name in ("data", "data/a b", "data/volume"))
    received = parse_zfs_get_received(host.run(ZfsGetReceived(names=names)).stdout)
    assert names[0] in received
    probed = {one.name: received_by(one) for one in tree.datasets() if one.name in names}
    assert {name: values for name, values in probed.items() if values} == received


def test_what_follows_is_sent_alone_from_a_bookmark(tree: Bench) -> None:
    host = tree.host
    take(host, "two")
    assert ran(host).verdict == "done"
    # The policy destroys what was sent, and more: a bookmark knows where to go on.
    take(host, "three")
    take(host, "four")
    host.run(ZfsDestroySnapshots(dataset=f"{POOL}/data", tags=("one", "two"), recursive=True))
    again = ran(host)
    assert again.verdict == "done" and again.done_bytes > 0
    assert [tag for tag, _ in guids(host, f"{COPIES}/data")] == ["one", "two", "three", "four"]
    assert {(one.newest, one.state) for one in again.datasets} == {("four", "current")}
    assert all(abs((one.newest_at or 0) - time.time()) < 86_400 for one in again.datasets)
    held = [hold.snapshot for hold in read_holds(host, (f"{COPIES}/data@{tag}" for tag in ("two", "four")))]
    assert held == [f"{COPIES}/data@four"]
    assert list(read_holds(host, (f"{POOL}/data@four",))) == []
    nothing = ran(host)
    assert (nothing.verdict, nothing.done_bytes) == ("done", 0)


def test_what_only_the_replica_has_stays(tree: Bench) -> None:
    host = tree.host
    assert ran(host).verdict == "done"
    host.run(ZfsSnapshot(names=(f"{COPIES}/data/a b@own",)))
    take(host, "two")
    done = ran(host)
    found = {one.source: (one.state, one.code, one.extra, one.common) for one in done.datasets}
    assert found[f"{POOL}/data/a b"] == ("conflict", "target-ahead", ("own",), "one")
    assert (done.verdict, found[f"{POOL}/data"][0], found[f"{POOL}/data/volume"][0]) == (
        "partly",
        "current",
        "current",
    )
    assert [tag for tag, _ in guids(host, f"{COPIES}/data/a b")] == ["one", "own"]


def test_a_first_copy_that_was_carried_there_is_adopted(tree: Bench) -> None:
    """TASK fills the disk; it is copied from there where it was carried to; what follows is sent directly."""
    host = tree.host
    place = f"{POOL}/brought"
    carried = Task(id="c0de0000c0de0002", source=TASK.target, root=POOL, target=place)
    direct = Task(id="c0de0000c0de0003", source=TASK.source, root=POOL, target=place)
    assert ran(host).verdict == ran(host, carried).verdict == "done"
    host.run(ForgetReplication(task=carried))
    planned_first = planned(host, direct)
    assert [(one.first, one.state) for one in planned_first.datasets] == [(False, "current")] * 3
    take(host, "two")
    done = ran(host, direct)
    assert [(one.newest, one.state) for one in done.datasets] == [("two", "current")] * 3
    for name in ("", "/a b", "/volume"):
        assert guids(host, place + name) == guids(host, f"{POOL}/data{name}")
        assert tree.dataset(place + name).value("readonly") == "on"
    host.run(ForgetReplication(task=direct))


def test_a_copy_that_is_written_anew_lies_beside_its_source(tree: Bench) -> None:
    host = tree.host
    host.run(ZfsSet(name=f"{POOL}/data", properties={"compression": "gzip-9", "dedup": "off"}))
    try:
        assert ran(host, ANEW).verdict == "done"
        copy = tree.dataset(ANEW.target)
        assert (copy.value("readonly"), copy.value("canmount"), copy.value("mounted")) == (
            "on",
            "noauto",
            "no",
        )
        assert (copy.value("compression"), copy.value("recordsize")) == ("gzip-9", "65536")
        policies = {
            one.name: one.value("nasweb:policy") for one in tree.datasets() if "rewritten" in one.name
        }
        assert set(policies.values()) == {"off"} and len(policies) == 3, "no snapshots are taken of it"
        first_answer(host, lambda: is_over(host, ANEW) or None)  # in another second than the run
        host.run(FinishReplication(task=ANEW))
        tags = [tag for tag, _ in guids(host, ANEW.target)]
        assert [tag.partition("_")[0] for tag in tags] == ["one", *["replication-c0de0000"] * 2]
        host.run(StartProof(task=ANEW))
        host.run(StopProof(task=ANEW.id))
        assert is_over(host, ANEW)
        host.run(StopProof(task=ANEW.id))  # of one that has ended
        host.run(ZfsSnapshot(names=(f"{ANEW.target}/a b@own",)))
        first_answer(host, lambda: is_over(host, ANEW) or None)
        with pytest.raises(CommandFailed, match="Not all of it arrived"):
            host.run(FinishReplication(task=ANEW))
    finally:
        host.run(ForgetReplication(task=ANEW))


def test_what_is_encrypted_arrives_without_its_key(tree: Bench) -> None:
    host = tree.host
    keyed = {"encryption": "aes-256-gcm", "keyformat": "passphrase", "pbkdf2iters": "100000"}
    host.run(ZfsCreate(name=f"{POOL}/data/secret", properties=keyed, secret=reference(PHRASE)))
    take(host, "two")
    host.run(ZfsUnmount(name=f"{POOL}/data/secret"))
    host.run(ZfsUnloadKey(name=f"{POOL}/data/secret"))
    done = ran(host)
    assert (done.verdict, [one.said for one in done.datasets]) == ("done", [""] * 4)
    copy = f"{COPIES}/data/secret"
    assert guids(host, copy) == guids(host, f"{POOL}/data/secret")
    kept = tree.dataset(copy)
    assert (kept.value("encryption"), kept.value("keystatus")) == ("aes-256-gcm", "unavailable")
    assert (kept.value("keylocation"), kept.value("encryptionroot")) == ("prompt", copy)
    plain = planned(host, msgspec.structs.replace(TASK, raw=False, target=f"{SECOND_POOL}/plain"))
    codes = {one.source: one.code for one in plain.datasets}
    assert codes[f"{POOL}/data/secret"] == "key-missing"


def test_a_source_or_a_root_that_is_gone_is_said(tree: Bench) -> None:
    gone = planned(tree.host, msgspec.structs.replace(TASK, source=f"{POOL}/gone"))
    assert (gone.verdict, gone.code) == ("failed", "source-missing")
    root = f"{SECOND_POOL}/gone"
    away = planned(tree.host, msgspec.structs.replace(TASK, root=root, target=f"{root}/x"))
    assert (away.verdict, away.code) == ("failed", "root-missing")
