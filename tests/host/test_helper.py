"""The helper and its client over a real socket, with a host that only remembers what it was asked."""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from host import frames, helper
from host.base import CommandFailed, CommandTimedOut, HostError, HostUnavailable, Result, check
from host.client import HelperHost
from host.commands.base import Command
from host.commands.closed import encode
from host.commands.datasets.zfs import ZfsCreate, ZfsVersion
from host.commands.disks.partition import UdevSettle
from host.commands.pools.zpool import ZpoolDestroy, ZpoolStatus
from host.helper import Helper, listening_socket
from host.system.peer import peer_uid, user_name


class RecordingHost:
    """Answers from a table and remembers what it ran."""

    kind = "local"

    def __init__(self) -> None:
        self.ran: list[Command] = []
        self.running = threading.Event()
        self.release = threading.Event()

    def run(self, command: Command) -> Result:
        self.ran.append(command)
        if isinstance(command, ZpoolDestroy):
            return check(command, Result(exit=1, stderr="cannot open 'tank': no such pool\n"))
        if isinstance(command, UdevSettle):
            raise CommandTimedOut(command, Result(exit=-9, stdout="half"))
        if isinstance(command, ZpoolStatus):
            raise HostError("zpool said more than 5 bytes and was stopped.")
        return Result(exit=0, stdout="ready\x1b\n")


class Running:
    """A helper in a thread of this process."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "helper.sock"
        self.host = RecordingHost()
        self.journal: list[dict[str, object]] = []
        self.helper = Helper(self.host, allowed_uids=frozenset(), journal=self.journal.append)
        self.listener = listening_socket(self.path, {})
        self.thread = threading.Thread(target=self.helper.serve, args=(self.listener,))

    def ask(self, payload: bytes, *, length: int | None = None) -> frames.Answer:
        """Send bytes as a frame, truthful about its length or not, and give back the answer."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.path))
            connection.sendall(struct.pack("!I", len(payload) if length is None else length) + payload)
            connection.shutdown(socket.SHUT_WR)
            return frames.decode_answer(frames.receive(connection, limit_bytes=1 << 20))


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    # The tests may run as any user; here that one is root.
    monkeypatch.setattr(helper, "peer_uid", lambda connection: 0)
    server = Running(tmp_path)
    server.thread.start()
    yield server
    server.helper.stop()
    server.thread.join(5)
    server.listener.close()
    assert not server.thread.is_alive()


def test_a_command_is_run_and_its_result_comes_back(running: Running) -> None:
    result = HelperHost(running.path).run(ZfsVersion())
    assert result == Result(exit=0, stdout="ready\x1b\n")
    assert running.host.ran == [ZfsVersion()]


def test_a_failure_comes_back_with_its_text(running: Running) -> None:
    with pytest.raises(CommandFailed, match="no such pool") as failure:
        HelperHost(running.path).run(ZpoolDestroy(name="tank"))
    assert failure.value.result == Result(exit=1, stderr="cannot open 'tank': no such pool\n")


def test_a_command_that_took_too_long_comes_back_as_such(running: Running) -> None:
    with pytest.raises(CommandTimedOut) as failure:
        HelperHost(running.path).run(UdevSettle())
    assert failure.value.result.stdout == "half"


def test_a_helper_that_cannot_run_a_command_says_why(running: Running) -> None:
    with pytest.raises(HostUnavailable, match="said more than 5 bytes"):
        HelperHost(running.path).run(ZpoolStatus())


def test_each_command_leaves_one_line_with_who_and_how_it_ended(running: Running) -> None:
    with pytest.raises(CommandFailed):
        HelperHost(running.path).run(ZpoolDestroy(name="tank"))
    (entry,) = running.journal
    assert entry["event"] == "command"
    assert entry["uid"] == 0
    assert entry["argv"] == ("zpool", "destroy", "tank")
    assert entry["exit"] == 1
    assert isinstance(entry["duration_s"], float)


def test_successful_reads_are_logged_at_a_lower_level_than_changes_and_failures(running: Running) -> None:
    host = HelperHost(running.path)
    host.run(ZfsVersion())
    host.run(ZfsCreate(name="tank/a"))
    with pytest.raises(CommandFailed):
        host.run(ZpoolDestroy(name="tank"))
    with pytest.raises(HostUnavailable):
        host.run(ZpoolStatus())
    report = [(entry["argv"], entry["level"]) for entry in running.journal]
    assert report == [
        (("zfs", "version", "-j"), "debug"),
        (("zfs", "create", "tank/a"), "info"),
        (("zpool", "destroy", "tank"), "info"),
        (ZpoolStatus().argv(), "info"),
    ]


@pytest.mark.parametrize(
    ("command", "succeeded", "duration_s", "expected"),
    [
        (ZpoolStatus(), True, 4.999, "debug"),
        (ZpoolStatus(), True, 5.0, "info"),
        (ZpoolStatus(), False, 0.1, "info"),
        (ZpoolDestroy(name="tank"), True, 0.1, "info"),
    ],
)
def test_only_quick_good_reads_are_quiet(
    command: Command, succeeded: bool, duration_s: float, expected: str
) -> None:
    assert helper.level(command, succeeded=succeeded, duration_s=duration_s) == expected


@pytest.mark.parametrize(
    "payload",
    [
        b"no json",
        b"[]",
        b"\xff\xfe",
        b'{"type":"Reboot"}',
        b'{"type":"ZfsVersion","sudo":true}',
        b'{"type":"ZpoolDestroy"}',
        b'{"type":"ZpoolDestroy","name":"-f"}',
        b'{"type":"ZpoolDestroy","name":"tank; reboot"}',
        b'{"type":"ZpoolDestroy","name":7}',
        b'{"type":"ReadFact","path":"/etc/shadow"}',
        b'{"type":"WipeSignatures","disk":"/dev/sda"}',
        b'{"type":"WipeSignatures","disk":"/dev/disk/by-id/../../sda"}',
        b"[" * 100_000,
        b'{"x":' + b"[" * 100_000 + b"]" * 100_000 + b',"type":"ZfsVersion"}',
    ],
    ids=lambda payload: payload[:40].decode("latin-1"),
)
def test_what_is_no_command_is_refused_and_runs_nothing(running: Running, payload: bytes) -> None:
    answer = running.ask(payload)
    assert isinstance(answer, frames.Refused)
    assert answer.reason == "request"
    assert running.host.ran == []
    assert running.journal[0]["event"] == "refused"


@pytest.mark.parametrize("length", [0, frames.REQUEST_LIMIT_BYTES + 1, 0xFFFF_FFFF])
def test_a_frame_of_impossible_length_is_refused(running: Running, length: int) -> None:
    answer = running.ask(encode(ZfsVersion()), length=length)
    assert isinstance(answer, frames.Refused)
    assert running.host.ran == []


def test_a_frame_cut_short_is_refused(running: Running) -> None:
    answer = running.ask(encode(ZfsVersion()), length=1000)
    assert isinstance(answer, frames.Refused)
    assert "middle of a frame" in answer.message
    assert running.host.ran == []


def test_what_nobody_waits_for_any_more_is_not_run(running: Running) -> None:
    here, there = socket.socketpair()
    frames.send(there, encode(ZpoolDestroy(name="tank")))
    there.close()
    running.helper.answer(here)
    assert running.host.ran == []
    assert running.journal[0]["error"] == "Whoever asked is gone."


def test_a_connection_that_says_nothing_does_no_harm(running: Running) -> None:
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(str(running.path))
    assert HelperHost(running.path).run(ZfsVersion()).exit == 0


def test_another_user_is_refused_whatever_is_asked(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper, "peer_uid", lambda connection: 65534)
    with pytest.raises(HostUnavailable, match=r"uid 65534.* may not use this helper"):
        HelperHost(running.path).run(ZfsVersion())
    assert running.host.ran == []
    assert running.journal[0]["event"] == "refused"


def test_the_allowed_user_is_served(tmp_path: Path) -> None:
    server = Running(tmp_path)
    server.helper = Helper(server.host, allowed_uids=frozenset({os.getuid()}), journal=server.journal.append)
    server.thread = threading.Thread(target=server.helper.serve, args=(server.listener,))
    server.thread.start()
    try:
        assert HelperHost(server.path).run(ZfsVersion()).exit == 0
    finally:
        server.helper.stop()
        server.thread.join(5)
        server.listener.close()


def test_the_kernel_says_who_connected() -> None:
    here, there = socket.socketpair()
    with here, there:
        assert peer_uid(here) == os.getuid()


def test_a_user_without_a_name_is_a_number() -> None:
    assert user_name(2**31 - 7) == str(2**31 - 7)


def test_nobody_for_a_while_ends_the_helper(tmp_path: Path) -> None:
    server = Running(tmp_path)
    with server.listener:
        server.helper.serve(server.listener, idle_s=0.01)
    assert server.host.ran == []


def test_no_helper_is_a_host_that_cannot_be_asked(tmp_path: Path) -> None:
    with pytest.raises(HostUnavailable, match="does not answer"):
        HelperHost(tmp_path / "nothing.sock").run(ZfsVersion())


def test_the_helpers_own_socket_is_closed_to_others(tmp_path: Path) -> None:
    path = tmp_path / "helper.sock"
    with listening_socket(path, {}):
        assert path.stat().st_mode & 0o777 == 0o660


def test_without_any_socket_the_helper_does_not_start() -> None:
    with pytest.raises(SystemExit, match="no --socket"):
        listening_socket(None, {"LISTEN_FDS": "1", "LISTEN_PID": "1"})


def test_a_journal_entry_is_one_line_whatever_is_in_it(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    helper.write_line({"argv": ("zfs", "set", "note:x=\n\x1b[2J\x00")})
    written = capfdbinary.readouterr().out
    assert written.count(b"\n") == 1
    assert all(byte >= 32 for byte in written[:-1])
    assert msgspec.json.decode(written.removeprefix(b"<6>")) == {
        "argv": ["zfs", "set", "note:x=\n\x1b[2J\x00"]
    }


@pytest.mark.parametrize(
    ("entry", "prefix"), [({"level": "debug"}, b"<7>{"), ({"level": "info"}, b"<6>{"), ({}, b"<6>{")]
)
def test_a_journal_entry_starts_with_its_level_as_the_journal_reads_it(
    capfdbinary: pytest.CaptureFixture[bytes], entry: dict[str, object], prefix: bytes
) -> None:
    helper.write_line(entry)
    assert capfdbinary.readouterr().out.startswith(prefix)
