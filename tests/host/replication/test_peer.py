"""What a paired machine may have carried out here, and all that a hostile one tries."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import CommandFailed, Result
from host.commands.base import Command
from host.commands.closed import encode
from host.commands.datasets.zfs import ZfsDestroy
from host.commands.replication.hashes import MOST_FILES, FileToHash, HashFiles
from host.commands.replication.points import (
    DestroyBookmark,
    HoldPoints,
    HoldsOf,
    ListDatasets,
    ListPoints,
    MakeBookmark,
    ReleasePoints,
    SnapshotTimes,
    TakePoint,
)
from host.commands.replication.streams import (
    ForgetPartial,
    ForgetSnapshots,
    MakeContainer,
    PeerCommand,
    ReceiveStream,
    SendRest,
    SendStream,
    ZfsVersion,
)
from host.contents.peers import render_rights
from host.programs.peer import files, rules
from host.programs.peer.__main__ import REFUSED, main
from host.programs.peer.rights import Rights
from host.programs.replicate.tokens import GuidOf, SayToken, Unsendable, read

PEER = "00000000000000bb"
ROOT = "tank/backups/b"
RIGHTS = Rights(root=ROOT, shared=("tank/photos", "tank/my files"))
TOKEN = "1-bf31b879a-b8-789c63"


class Told:
    """A machine that answers what zfs says of a token."""

    kind = "local"

    def __init__(self, toname: str = "tank/photos@a", toguid: str = "0x2a", guid: str = "42") -> None:
        self.text = (
            "resume token contents:\nnvlist version: 0\n\tobject = 0x1\n"
            f"\ttoguid = {toguid}\n\ttoname = {toname}\n\tcompressok = 1\n"
            "full send of tank/secret@a estimated size is 3K\n"
        )
        self.guid = guid

    def run(self, command: Command) -> Result:
        if isinstance(command, SayToken):
            return Result(exit=0, stdout=self.text)
        assert isinstance(command, GuidOf)
        if self.guid == "":
            raise CommandFailed(command, Result(exit=1))
        return Result(exit=0, stdout=f"{self.guid}\n")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / f"{PEER}.json").write_text(render_rights(RIGHTS.root, RIGHTS.shared))
    return tmp_path


def ask(folder: Path, text: str, *, peer: str = PEER, host: Told | None = None) -> tuple[int, list[Command]]:
    ran: list[Command] = []

    def become(command: Command) -> int:
        ran.append(command)
        return 0

    environment = {"SSH_ORIGINAL_COMMAND": text} if text else {}

    def hashed(number: str, command: HashFiles) -> bytes:
        assert number == peer
        ran.append(command)
        return b"{}"

    status = main(
        ["--peer", peer], environment=environment, host=host or Told(), folder=folder, then=become, ask=hashed
    )
    return status, ran


ALLOWED: tuple[Command, ...] = (
    ZfsVersion(),
    ListDatasets(name=ROOT),
    ListDatasets(name="tank/photos"),
    ListPoints(name=f"{ROOT}/home"),
    SnapshotTimes(snapshots=("tank/my files/x@a",)),
    MakeBookmark(snapshot="tank/photos@a", bookmark="nasweb-peer-1"),
    TakePoint(snapshot=f"{ROOT}/home@nasweb-1"),
    DestroyBookmark(dataset="tank/photos", bookmark="nasweb-peer-1"),
    HoldPoints(snapshots=("tank/photos/2026@a", f"{ROOT}/home@a"), tag="nasweb-peer-1"),
    ReleasePoints(snapshots=(f"{ROOT}/home@a", "tank/photos@a"), tag="nasweb-peer-1"),
    HoldsOf(snapshots=("tank/photos@a", f"{ROOT}/home@a")),
    SendStream(snapshot="tank/photos@b", base="tank/photos@a"),
    SendStream(snapshot=f"{ROOT}/home@b", dry=True),  # a replica is fetched back
    SendRest(token=TOKEN),
    ReceiveStream(name=f"{ROOT}/home"),
    ForgetPartial(name=f"{ROOT}/home"),
    MakeContainer(name=f"{ROOT}/a/b"),
    ForgetSnapshots(name=f"{ROOT}/home", tags=("a",)),
    HashFiles(snapshot=f"{ROOT}/home@a", files=(FileToHash(path=b"a/\xff", seed=1),)),
)
REFUSED_ONES: tuple[Command, ...] = (
    TakePoint(snapshot="tank/photos@nasweb-1"),
    ZfsDestroy(name=f"{ROOT}/home"),
    ListDatasets(name="tank"),
    ListDatasets(name="tank/backups"),
    ListDatasets(name=f"{ROOT}-evil"),
    ListPoints(name="tank/photos2"),
    SnapshotTimes(snapshots=("tank/photos@a", "tank/secret@a")),
    MakeBookmark(snapshot="tank/secret@a", bookmark="nasweb-peer-1"),
    MakeBookmark(snapshot="tank/photos@a", bookmark="mine"),
    DestroyBookmark(dataset="tank/photos", bookmark="mine"),
    HoldPoints(snapshots=("tank/photos@a",), tag="-r"),
    HoldPoints(snapshots=("tank/photos@a", "tank/secret@a"), tag="nasweb-peer-1"),
    HoldPoints(snapshots=("tank/photos@a",), tag="nasweb-0123456789abcdef"),
    ReleasePoints(snapshots=("tank/photos@a",), tag="keep"),
    ReleasePoints(snapshots=("tank/photos@a", "tank/secret@a"), tag="nasweb-peer-1"),
    HoldsOf(snapshots=("tank/photos@a", "tank/secret@a")),
    SendStream(snapshot="tank/secret@b"),
    SendStream(snapshot="tank/photos@b", base="tank/secret@a"),
    ReceiveStream(name=ROOT),
    ReceiveStream(name="tank/photos/x"),
    ReceiveStream(name=f"{ROOT}-evil/x"),
    ForgetPartial(name="tank/photos"),
    MakeContainer(name="tank/backups/c"),
    ForgetSnapshots(name="tank/photos", tags=("a",)),
    ForgetSnapshots(name=ROOT, tags=("a",)),
    HashFiles(snapshot="tank/secret@a"),
    HashFiles(snapshot=f"{ROOT}-evil/x@a"),
    # Marks of this machine's own replications, on a dataset that is shared.
    DestroyBookmark(dataset="tank/photos", bookmark="nasweb-0123456789abcdef-1"),
    ReleasePoints(snapshots=("tank/photos@a",), tag="nasweb-0123456789abcdef"),
)


@pytest.mark.parametrize("command", ALLOWED, ids=lambda one: type(one).__name__)
def test_becomes_what_is_allowed(folder: Path, command: Command) -> None:
    assert ask(folder, encode(command).decode()) == (0, [command])


@pytest.mark.parametrize("command", REFUSED_ONES, ids=lambda one: type(one).__name__)
def test_refuses_what_is_not(folder: Path, command: Command, capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(folder, encode(command).decode()) == (REFUSED, [])
    assert "secret" not in capsys.readouterr().err.replace("tank/secret is not shared", "")


@pytest.mark.parametrize("name", ["tank/.nasweb", "tank/.nasweb-state/var", "tank/.nasweb-benchmark"])
def test_what_is_the_consoles_own_is_nobody_elses_whatever_was_shared(name: str) -> None:
    whole = Rights(root="tank", shared=("tank",))
    commands = (
        ReceiveStream(name=name), MakeContainer(name=name), TakePoint(snapshot=f"{name}@a"),
        SendStream(snapshot=f"{name}@a"), ListPoints(name=name), ForgetSnapshots(name=name, tags=("a",)),
    )  # fmt: skip
    for command in commands:
        with pytest.raises(rules.Forbidden, match="console's own"):
            rules.check(command, whole)
    rules.check(ReceiveStream(name="tank/x/.nasweb"), whole)


def test_every_command_of_the_set_has_a_rule() -> None:
    known = set(PeerCommand.__args__)
    assert set(rules._RULES) == known
    assert {type(one) for one in ALLOWED} == known


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sh",
        "zfs version; id",
        "internal-sftp",
        '{"type":"ZfsVersion"} {"type":"ZfsVersion"}',
        '{"type":"ZfsDestroy","name":"tank/backups/b/x"}',
        '{"type":"ListDatasets","name":"tank/backups/b/../c"}',
        '{"type":"ListDatasets","name":"-o"}',
        '{"type":"ListDatasets","name":"tank/backups/b\\nx"}',
        '{"type":"ReceiveStream","name":"tank/backups/b/x","force":true}',
        '{"type":"ReceiveStream","name":"tank/backups/b/x","properties":{"mountpoint":"/etc"}}',
        '{"type":"ReceiveStream","name":"tank/backups/b/x@s"}',
        '{"type":"MakeContainer","name":"tank/backups/b/x -o mountpoint=/etc\\u0000"}',
        '{"type":"ForgetSnapshots","name":"tank/backups/b/x","tags":["a%b"]}',
        '{"type":"ForgetSnapshots","name":"tank/backups/b/x","tags":["a,b@c"]}',
        '{"type":"SendRest","token":"-R"}',
        '{"type":"SendRest","token":"1-a-b-c --"}',
        '{"type":"HashFiles","snapshot":"tank/photos@a","files":[{"path":"Li4=","seed":1}]}',  # ..
        '{"type":"HashFiles","snapshot":"tank/photos@a","files":[{"path":"L2V0Yy9h","seed":1}]}',  # /etc/a
        '{"type":"HashFiles","snapshot":"tank/photos@a","files":[{"path":"YS8vYg==","seed":1}]}',  # a//b
        '{"type":"HashFiles","snapshot":"tank/photos@a","files":[{"path":"YS8uLi9i","seed":1}]}',  # a/../b
        '{"type":"HashFiles","snapshot":"tank/photos@a","files":[{"path":"YQBi","seed":1}]}',  # a NUL b
        '{"type":"HashFiles","snapshot":"tank/photos@a","files":[{"path":"","seed":1}]}',
        '{"type":"HashFiles","snapshot":"tank/photos@a","files":[{"path":"YQ==","seed":-1}]}',
        '{"type":"HashFiles","snapshot":"tank/photos","files":[]}',
        "[" * 3000,
        "{" * 140_000,
        "\udcff\udcfe",
    ],
)
def test_what_is_no_command_is_refused(folder: Path, text: str) -> None:
    assert ask(folder, text) == (REFUSED, [])


def test_it_asks_for_no_more_files_than_one_request_may_have(folder: Path) -> None:
    file = FileToHash(path=b"a", seed=1)
    command = HashFiles(snapshot="tank/photos@a", files=(file,) * (MOST_FILES + 1))
    assert ask(folder, encode(command).decode()) == (REFUSED, [])


def test_without_the_service_of_hashes_it_says_so(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {"SSH_ORIGINAL_COMMAND": encode(HashFiles(snapshot="tank/photos@a")).decode()}

    def gone(number: str, command: HashFiles) -> bytes:
        return files.hashed(number, command, folder / "no such socket")

    status = main(["--peer", PEER], environment=environment, host=Told(), folder=folder, ask=gone)
    assert (status, capsys.readouterr().err) == (
        REFUSED,
        "nasweb: This machine cannot read files for others now.\n",
    )


@pytest.mark.parametrize("peer", ["00000000000000cc", "../etc/passwd", "", "0" * 15])
def test_an_unknown_machine_is_refused(folder: Path, peer: str) -> None:
    assert ask(folder, encode(ZfsVersion()).decode(), peer=peer) == (REFUSED, [])


def test_rights_that_cannot_be_read_are_none(folder: Path) -> None:
    (folder / f"{PEER}.json").write_text('{"root":"tank","more":1}')
    assert ask(folder, encode(ZfsVersion()).decode()) == (REFUSED, [])


@pytest.mark.parametrize(
    "host",
    [
        Told(toname="tank/secret@a"),
        Told(toname=f"{ROOT}-evil/x@a"),
        Told(guid="43"),  # of another snapshot, which zfs would look for in the whole pool
        Told(guid=""),
        Told(toname="tank/photos@a\n\ttoname = tank/secret@a"),
        Told(toname="tank/photos@a\n\ttoguid = 0x2b"),
        Told(toname="tank/photos"),
        Told(toguid="42"),
    ],
)
def test_a_forged_token_is_refused(folder: Path, host: Told) -> None:
    assert ask(folder, encode(SendRest(token=TOKEN)).decode(), host=host) == (REFUSED, [])


def test_reads_what_a_token_names() -> None:
    assert read(Told().text) == ("tank/photos@a", 42, False)
    with pytest.raises(Unsendable):
        read("cannot resume send: resume token is corrupt\n")
