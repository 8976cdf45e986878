"""Replicas on a paired Nasweb: its service that hashes files, and whatever a hostile one answers."""

from __future__ import annotations

import errno
import os
import random
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.base import CommandFailed, CommandTimedOut, HostError, Result
from host.commands.base import Command
from host.commands.replication.hashes import MOST_FILES, FileToHash, HashFiles
from host.commands.replication.over import Over
from host.commands.replication.task import Task
from host.contents.peers import UNKNOWN_COMMAND, render_rights
from host.programs import peer_files
from host.programs.peer.files import Asked, received
from host.programs.replicate.prove import Proving
from host.programs.replicate.reading import Files, Here, There, Wanted
from host.programs.replicate.side import Side as RealSide
from host.programs.report import Report
from host.replication.hashes import FileDigest, HashedFiles, Unreadable, read_hashed
from host.replication.proof import Proof
from host.replication.sides import Member, Point, parse_members

PEER = "00000000000000bb"
PUSH = Task(id="0" * 16, source="tank/x", root="vault/b", target="vault/b/x")
PULL = Task(id="0" * 16, source="vault/b/x", root="tank", target="tank/x", pull=True)


class Machines:
    """This machine has tank/x and the other one vault/b/x: folders stand for their snapshots."""

    def __init__(self, base: Path) -> None:
        self.folders = {"tank/x@one": base / "here", "vault/b/x@one": base / "there"}
        self.rights, self.mounts = base / "peers", base / "mounts"
        for folder in (*self.folders.values(), self.rights):
            (folder / "deep").mkdir(parents=True)
        (self.rights / f"{PEER}.json").write_text(render_rights("vault/b", ()))
        self.fails: dict[str, int] = {}
        self.requests: list[HashFiles] = []
        self.said: Callable[[HashFiles], str] = self.answered

    def write(self, name: str, here: bytes, there: bytes | None = None) -> None:
        for folder, content in zip(
            self.folders.values(), (here, here if there is None else there), strict=True
        ):
            (folder / "deep" / name).write_bytes(content)

    @contextmanager
    def mounted(self, snapshot: str, _at: Path) -> Iterator[int]:
        if number := self.fails.get(snapshot):
            raise OSError(number, os.strerror(number))
        descriptor = os.open(self.folders[snapshot], os.O_RDONLY | os.O_DIRECTORY)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def asked(self, text: bytes, **changes: Any) -> HashedFiles:
        """What the service on the other machine answers."""
        return peer_files.answer(text, folder=self.rights, mounts=self.mounts, opened=self.mounted, **changes)

    def answered(self, command: HashFiles) -> str:
        return msgspec.json.encode(self.asked(request(command))).decode()


class Side:
    """One of the two machines."""

    def __init__(self, machines: Machines, name: str, *, elsewhere: bool) -> None:
        self._machines, self._name, self.elsewhere = machines, name, elsewhere

    def tree(self, _name: str) -> dict[str, Member]:
        point = Point(name="one", guid="7", createtxg=1)
        return {self._name: Member(name=self._name, guid="1", kind="filesystem", snapshots=(point,))}

    def run(self, command: Command) -> str:
        assert self.elsewhere and isinstance(command, HashFiles)
        self._machines.requests.append(command)
        return self._machines.said(command)


def request(command: HashFiles, peer: str = PEER) -> bytes:
    return msgspec.json.encode(Asked(peer=peer, command=command))


def prove(machines: Machines, tmp_path: Path, task: Task = PUSH, **changes: Any) -> Proof:
    here = Side(machines, "tank/x", elsewhere=False)
    there = Side(machines, "vault/b/x", elsewhere=True)

    @contextmanager
    def opened(side: Side, snapshot: str) -> Iterator[Files]:
        if side.elsewhere:
            yield There(side, snapshot)  # type: ignore[arg-type]
            return
        with machines.mounted(snapshot, tmp_path) as root:
            yield Here(root)

    report = Report(
        tmp_path / "proof.json", lambda moment: Proof(task="0", started_at=moment, updated_at=moment),
        clock=lambda: 0.0,
    )  # fmt: skip
    source, target = (there, here) if task.pull else (here, there)
    Proving(
        task, source, target, report, opened=opened, asked_to_stop=lambda: False,  # type: ignore[arg-type]
        chance=random.Random(4), **changes,
    ).carry_out()  # fmt: skip
    return report.content


@pytest.fixture
def machines(tmp_path: Path) -> Machines:
    found = Machines(tmp_path)
    for number in range(7):
        found.write(f"file{number}", os.urandom(100))
    return found


@pytest.mark.parametrize("task", [PUSH, PULL], ids=["push", "pull"])
def test_the_same_files_are_the_same_whichever_side_is_here(
    machines: Machines, tmp_path: Path, task: Task
) -> None:
    found = prove(machines, tmp_path, task)
    (one,) = found.datasets
    assert (found.verdict, one.result, one.files, one.size_bytes) == ("same", "same", 7, 700)
    assert len(machines.requests) == 1 and machines.requests[0].snapshot == "vault/b/x@one"


@pytest.mark.parametrize("task", [PUSH, PULL], ids=["push", "pull"])
@pytest.mark.parametrize("how", ["other", "gone", "link"])
def test_one_file_that_differs_is_found(machines: Machines, tmp_path: Path, task: Task, how: str) -> None:
    file = machines.folders["vault/b/x@one"] / "deep/file3"
    file.unlink()
    if how == "other":
        file.write_bytes(os.urandom(100))
    if how == "link":
        file.symlink_to(machines.folders["tank/x@one"] / "deep/file3")
    found = prove(machines, tmp_path, task)
    if task.pull and how == "link":  # a source that cannot be read says nothing of its copy
        assert found.datasets[0].result == "unreachable"
    else:
        assert (found.verdict, found.datasets[0].different) == ("different", ("deep/file3",))


def test_many_files_go_in_few_requests_that_fit_into_one_word(tmp_path: Path) -> None:
    machines = Machines(tmp_path)
    for number in range(120):
        machines.write(f"{'long' * 55}{number}", b"x")
    assert prove(machines, tmp_path).datasets[0].files == 120
    assert [len(one.files) for one in machines.requests] == [MOST_FILES, MOST_FILES, 20]
    words = [Over(connection="0" * 16, kind="nasweb", command=one).argv()[-1] for one in machines.requests]
    assert all(len(word) < 1 << 17 for word in words)


def test_a_snapshot_without_files_is_asked_for_once_all_the_same(tmp_path: Path) -> None:
    machines = Machines(tmp_path)
    assert prove(machines, tmp_path).datasets[0].result == "empty"
    machines.fails["vault/b/x@one"] = errno.EACCES
    assert prove(machines, tmp_path).datasets[0].result == "locked"
    assert [one.files for one in machines.requests] == [(), ()]


def failing(exit_status: int, stderr: str) -> Callable[[HashFiles], str]:
    def said(command: HashFiles) -> str:
        raise CommandFailed(
            Over(connection="0" * 16, kind="nasweb", command=command), Result(exit=exit_status, stderr=stderr)
        )

    return said


def test_a_nasweb_that_is_too_old_says_so_in_words(machines: Machines, tmp_path: Path) -> None:
    machines.said = failing(93, f"nasweb: {UNKNOWN_COMMAND}\n")
    found = prove(machines, tmp_path)
    assert (found.verdict, found.words) == (
        "failed",
        "The other Nasweb is too old to compare files. Update it.",
    )


def test_a_lost_connection_ends_the_proof(machines: Machines, tmp_path: Path) -> None:
    machines.said = failing(255, "x" * 100_000 + "Broken pipe\n")
    found = prove(machines, tmp_path)
    assert found.verdict == "failed" and found.words.endswith("Broken pipe") and len(found.words) < 300

    def late(command: HashFiles) -> str:
        raise CommandTimedOut(Over(connection="0" * 16, kind="nasweb", command=command), Result(exit=-9))

    machines.said = late
    assert prove(machines, tmp_path).words == "The other Nasweb did not answer in time."


@pytest.mark.parametrize(
    "said",
    [
        "", "null", "[]", "{}", '{"files":[null]}', "{" * 100_000, '{"files":"all of them"}', "\udcff",
        '{"files":[{"type":"read","size_bytes":-1,"sha256":"x"}]}', '{"trouble":"same"}',
        '{"trouble":"locked","said":"' + "x" * 300 + '"}', '{"files":' + "[null," * 50 + "null]}",
    ],
)  # fmt: skip
def test_nonsense_of_a_hostile_machine_proves_nothing(machines: Machines, tmp_path: Path, said: str) -> None:
    machines.said = lambda _command: said
    found = prove(machines, tmp_path)
    assert (found.verdict, found.datasets[0].result) == ("nothing", "unreachable")
    assert len(found.datasets[0].said) <= 200


def test_too_much_and_too_many_are_nothing_either(machines: Machines, tmp_path: Path) -> None:
    def too_much(_command: HashFiles) -> str:
        raise HostError("ssh said more than 67108864 bytes and was stopped.")

    machines.said = too_much
    assert prove(machines, tmp_path).datasets[0].result == "unreachable"
    machines.said = failing(93, "nasweb: " + "x" * 100_000)
    assert len(prove(machines, tmp_path).datasets[0].said) == 200
    assert Over(connection="0" * 16, kind="nasweb", command=HashFiles(snapshot="a@b")).most_bytes == 1 << 16


def test_a_machine_that_is_slow_for_hours_is_given_up(machines: Machines, tmp_path: Path) -> None:
    found = prove(machines, tmp_path, in_time=lambda: False)
    assert (found.verdict, found.words) == ("failed", "The other machine took too long to answer.")


def test_numbers_that_nobody_reads_are_none() -> None:
    many = "9" * 5000
    (member,) = parse_members(
        f"b/x\t1\tfilesystem\t{many}\t{many}\toff\t-\t-\n", f"b/x@one\t7\t{many}\nb/x@two\t8\t1\n"
    )
    assert (member.available_bytes, [point.name for point in member.snapshots]) == (0, ["two"])

    class Telling:
        kind = "local"

        def run(self, _command: Command) -> Result:
            return Result(exit=0, stdout=f"b/x@one\t{many}\nb/x@two\t99999999999\nb/x@three\t999999999999\n")

    assert RealSide(Telling()).times(["b/x@one"]) == {"b/x@two": 99_999_999_999}


def test_hashes_are_salted_so_that_they_cannot_be_kept_instead_of_the_files(machines: Machines) -> None:
    with machines.mounted("tank/x@one", Path()) as root:
        names = (b"deep", b"file0")
        one, again, other = Here(root).digests([Wanted(names, 1), Wanted(names, 1), Wanted(names, 2)])
    assert one == again != other


def test_the_service_answers_what_is_there_what_is_not_and_what_cannot_be_read(machines: Machines) -> None:
    (machines.folders["vault/b/x@one"] / "link").symlink_to("/etc/shadow")
    paths = (b"deep/file0", b"deep/none", b"link", b"deep", b"link/x")
    files = tuple(FileToHash(path=path, seed=1) for path in paths)
    found = machines.asked(request(HashFiles(snapshot="vault/b/x@one", files=files)))
    assert isinstance(found.files[0], FileDigest) and found.files[0].size_bytes == 100
    assert isinstance(found.files[2], Unreadable)
    assert (found.files[1], found.files[3], found.files[4], found.trouble) == (None, None, None, None)
    assert read_hashed(msgspec.json.encode(found)) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (request(HashFiles(snapshot="vault/private@one")), "vault/private is not shared with this machine."),
        (
            request(HashFiles(snapshot="vault/b-evil/x@one")),
            "vault/b-evil/x is not shared with this machine.",
        ),
        (request(HashFiles(snapshot="vault/b/x@one"), "0" * 16), "This machine is not paired any more."),
        (request(HashFiles(snapshot="vault/b/../private@one")), "This is no request."),
        (request(HashFiles(snapshot="vault/b/x@one"), "../peers/00000000"), "This is no request."),
        (b'{"peer":"00000000000000bb","command":{"type":"ZfsVersion"}}', "This is no request."),
        (b"", "This is no request."),
        (b"\xff", "This is no request."),
        (b"[" * 100_000, "This is no request."),
    ],
)
def test_the_service_judges_again(machines: Machines, text: bytes, said: str) -> None:
    assert machines.asked(text) == HashedFiles(trouble="unreachable", said=said)


def test_the_service_ends_in_time(machines: Machines) -> None:
    ticks = iter((0.0, 1.0, peer_files.WITHIN_S + 1))
    files = (FileToHash(path=b"deep/file0", seed=1), FileToHash(path=b"deep/file1", seed=1))
    text = request(HashFiles(snapshot="vault/b/x@one", files=files))
    assert machines.asked(text, clock=lambda: next(ticks)).said == "Its disks were too slow."


def test_it_reads_one_request_from_its_socket(machines: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_files, "leave_alone", lambda: None)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(request(HashFiles(snapshot="vault/private@one")))
        ours.shutdown(socket.SHUT_WR)
        assert peer_files.main(theirs.fileno(), machines.rights) == 0
        theirs.close()
        assert (
            read_hashed(received(ours, 1 << 16, 5)).said == "vault/private is not shared with this machine."
        )


def test_no_more_than_a_request_is_read_and_nobody_is_waited_for() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(b"x" * 1000)
        with pytest.raises(OSError, match="too much"):
            received(theirs, 999, 5)
        with pytest.raises(TimeoutError):
            received(theirs, 999, 0)
