"""What is sent for one dataset, by what lies at both sides."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from host.commands.replication.streams import SendRest, SendStream
from host.commands.replication.task import Connection, Task
from host.replication.decide import Conflict, Current, Send, arrived, decide, refused
from host.replication.sides import Member, Point, parse_members

_ERRORS = Path(__file__).parents[2] / "transcripts" / "errors"


def point(name: str, txg: int, *, bookmark: bool = False) -> Point:
    return Point(name=name, guid=f"1{name}", createtxg=txg, bookmark=bookmark)


def source(*tags: str, marks: tuple[Point, ...] = (), **more: object) -> Member:
    snapshots = tuple(point(tag, 10 * (ord(tag) - 96)) for tag in tags)
    return Member(name="tank/x", guid="1", kind="filesystem", snapshots=snapshots, bookmarks=marks, **more)  # type: ignore[arg-type]


def replica(*tags: str, **more: object) -> Member:
    """Its own transactions: they say nothing about those of the source."""
    snapshots = tuple(point(tag, 500 + index) for index, tag in enumerate(tags))
    return Member(name="b/x", guid="2", kind="filesystem", snapshots=snapshots, **more)  # type: ignore[arg-type]


def decided(here: Member, there: Member | None, *, raw: bool = False) -> Send | Current | Conflict:
    return decide(here, there, raw=raw, properties=False)


def test_a_first_copy_begins_with_the_oldest_snapshot() -> None:
    sent = decided(source("a", "b", "c"), None)
    assert sent == Send(stream=SendStream(snapshot="tank/x@a"), arrives=(point("a", 10),))


def test_then_all_between_follow_in_one_stream() -> None:
    sent = decided(source("a", "b", "c"), replica("a"))
    wanted = SendStream(snapshot="tank/x@c", base="tank/x@a", between=True)
    assert sent == Send(stream=wanted, arrives=(point("b", 20), point("c", 30)), common=point("a", 500))
    (one,) = [decided(source("a", "b"), replica("a"))]
    assert isinstance(one, Send) and one.stream == SendStream(snapshot="tank/x@b", base="tank/x@a")


def test_a_replica_that_has_the_newest_is_current() -> None:
    assert decided(source("a", "b"), replica("a", "b")) == Current(newest=point("b", 501))


def test_a_renamed_snapshot_is_known_by_its_guid() -> None:
    renamed = Member(
        name="tank/x", guid="1", kind="filesystem",
        snapshots=(Point(name="other", guid="1a", createtxg=10), point("b", 20)),
    )  # fmt: skip
    sent = decided(renamed, replica("a"))
    assert isinstance(sent, Send) and sent.stream == SendStream(snapshot="tank/x@b", base="tank/x@other")


def test_from_a_bookmark_the_next_snapshot_comes_alone() -> None:
    """The policy destroyed what the replica has: the bookmark knows where to go on."""
    mark = point("a", 10, bookmark=True)
    sent = decided(source("c", "d", marks=(mark,)), replica("a"))
    wanted = SendStream(snapshot="tank/x@c", since="a")
    assert sent == Send(stream=wanted, arrives=(point("c", 30),), common=point("a", 500))


def test_a_stream_that_was_broken_off_goes_on() -> None:
    token = "1-f69e398cb-d0-789c"
    assert decided(source("a", "b"), replica(token=token)) == Send(stream=SendRest(token=token))


def test_a_bookmark_of_the_newest_is_enough_to_be_current() -> None:
    mark = point("c", 30, bookmark=True)
    assert decided(source("a", marks=(mark,)), replica("a", "c")) == Current(newest=point("c", 501))


@pytest.mark.parametrize(
    ("here", "there", "code"),
    [
        (source(), None, "nothing-to-send"),
        (source("b"), replica("a"), "no-common-snapshot"),
        (source("b"), replica(), "no-common-snapshot"),
        (source("a", "b"), replica("a", "x"), "target-ahead"),
        (source("a", "b"), replica("a", encrypted=True), "encryption-differs"),
        (source("a", encrypted=True, key_loaded=False), None, "key-missing"),
    ],
)
def test_what_nobody_can_send_is_a_conflict(here: Member, there: Member | None, code: str) -> None:
    found = decided(here, there)
    assert isinstance(found, Conflict) and found.code == code


def test_what_only_the_replica_has_is_named() -> None:
    found = decided(source("a", "b"), replica("a", "x", "y"))
    assert isinstance(found, Conflict) and found.common == point("a", 500)
    assert [one.name for one in found.extra] == ["x", "y"]


def test_that_a_replica_was_written_to_is_what_zfs_says() -> None:
    sent = decided(source("a", "b"), replica("a"))
    assert isinstance(sent, Send)
    said = json.loads((_ERRORS / "receive-written.json").read_text())["stderr"]
    assert refused(sent, said) == Conflict(code="target-written", common=point("a", 500))
    assert refused(sent, "cannot receive incremental stream: out of space\n") is None


def test_what_a_stream_left_is_known_without_asking() -> None:
    here, there = source("a", "b", "c"), None
    for _ in range(2):
        sent = decided(here, there)
        assert isinstance(sent, Send)
        there = arrived(here, "b/x", there, sent, raw=False)
    assert there is not None and [one.name for one in there.snapshots] == ["a", "b", "c"]
    assert decided(here, there) == Current(newest=there.snapshots[-1])


def test_raw_streams_keep_what_is_encrypted_so() -> None:
    here = source("a", "b", encrypted=True, key_loaded=False)
    sent = decided(here, replica("a", encrypted=True), raw=True)
    assert isinstance(sent, Send) and isinstance(sent.stream, SendStream) and sent.stream.raw


def test_blocks_that_are_written_anew_are_sent_as_files_see_them() -> None:
    sent = decide(source("a", "b"), replica("a"), raw=False, properties=True, anew=True)
    assert isinstance(sent, Send)
    assert sent.stream.argv() == ("zfs", "send", "-L", "-p", "-i", "tank/x@a", "tank/x@b")


@pytest.mark.parametrize("there", [None, replica("a"), replica("a", encrypted=True)])
def test_what_is_encrypted_is_never_sent_to_be_written_anew(there: Member | None) -> None:
    found = decide(source("a", "b", encrypted=True), there, raw=False, properties=True, anew=True)
    assert found == Conflict(code="encryption-differs")


def test_only_what_stays_on_this_machine_is_written_anew() -> None:
    task = Task(id="0" * 16, source="tank/x", root="tank", target="tank/y", raw=False, anew=True)
    assert msgspec.json.decode(msgspec.json.encode(task), type=Task) == task
    for more in ({"raw": True}, {"connection": Connection(id="0" * 16, kind="ssh")}):
        with pytest.raises(ValueError, match="on this machine alone"):
            msgspec.structs.replace(task, **more)


def test_lists_of_zfs_are_read_by_their_columns() -> None:
    datasets = (
        "tank/a b\t11\tfilesystem\t0\t900\toff\t-\t-\n"
        "tank/v\t12\tvolume\t-\t800\taes-256-gcm\tunavailable\t1-a-b-c0ffee\n"
        "tank/x\tmade up\n"
    )
    points = "tank/a b@two\t22\t7\ntank/a b@one\t21\t5\ntank/a b#mark\t21\t5\ntank/v@x\t9\tnever\n"
    one, two = parse_members(datasets, points)
    assert (one.name, one.available_bytes, [p.name for p in one.snapshots]) == (
        "tank/a b",
        900,
        ["one", "two"],
    )
    assert [mark.name for mark in one.bookmarks] == ["mark"] and not one.encrypted
    assert (two.kind, two.encrypted, two.key_loaded, two.token) == ("volume", True, False, "1-a-b-c0ffee")
    assert two.snapshots == ()
