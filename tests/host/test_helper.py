"""The helper over a real unix socket, with a host that records instead of running."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from host import frames, helper
from host.base import CommandFailed, CommandTimedOut, HostUnavailable, Result
from host.client import HelperHost
from host.commands import Command, UdevSettle, ZpoolDestroy, ZpoolStatus
from host.helper import Helper, listen


class Recording:
    """Keeps what it was asked to run; a pool called `stuck` times out, one called `busy` fails."""

    kind = "local"

    def __init__(self) -> None:
        self.ran: list[Command] = []

    def run(self, command: Command) -> Result:
        self.ran.append(command)
        if isinstance(command, ZpoolDestroy) and command.name == "stuck":
            raise CommandTimedOut(command, Result(exit=-9, stderr="stopped after 300 s"))
        if isinstance(command, ZpoolDestroy) and command.name == "busy":
            raise CommandFailed(command, Result(exit=1, stderr="pool is busy"))
        return Result(exit=0, stdout="done ✓")


class Served:
    def __init__(self, path: Path, allowed: frozenset[int]) -> None:
        self.path, self.host, self.log = path, Recording(), list[dict[str, object]]()
        self.listener = listen(path)
        serving = Helper(self.listener, self.host, allowed, self.log.append)
        threading.Thread(target=serving.serve, daemon=True).start()

    def raw(self, data: bytes) -> bytes:
        """What comes back for bytes that no client of ours would send."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.path))
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            parts: list[bytes] = []
            with contextlib.suppress(ConnectionResetError):  # closed with bytes of ours still unread
                while part := connection.recv(65536):
                    parts.append(part)
            return b"".join(parts)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served(tmp_path / "s", frozenset({os.getuid()}))
    yield made
    made.listener.close()


def frame(data: bytes) -> bytes:
    return struct.pack("!I", len(data)) + data


def test_a_command_arrives_whole_and_its_result_comes_back(served: Served) -> None:
    command = ZpoolDestroy(name="tank")
    assert HelperHost(served.path).run(command) == Result(exit=0, stdout="done ✓")
    assert served.host.ran == [command]


def test_each_command_leaves_one_line_that_says_who_and_what(served: Served) -> None:
    HelperHost(served.path).run(ZpoolDestroy(name="tank"))
    (line,) = served.log
    assert (line["event"], line["uid"], line["command"], line["exit"]) == (
        "ran", os.getuid(), ["zpool", "destroy", "tank"], 0,
    )  # fmt: skip


def test_failures_and_time_outs_keep_their_kind_and_their_text(served: Served) -> None:
    client = HelperHost(served.path)
    with pytest.raises(CommandFailed, match="pool is busy") as failed:
        client.run(ZpoolDestroy(name="busy"))
    assert failed.value.result.exit == 1
    with pytest.raises(CommandTimedOut, match="stopped after 300 s"):
        client.run(ZpoolDestroy(name="stuck"))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"rm -rf /",
        b'{"type":"Shell","line":"id"}',
        b'{"type":"ZpoolDestroy","name":"tank","extra":1}',
        b'{"type":"ZpoolDestroy","name":"-f"}',
        b'{"type":"ZpoolDestroy","name":"tank;id"}',
        b'{"type":"ReadFact","path":"/etc/shadow"}',
        b'{"type":"WipeSignatures","disk":"/dev/disk/by-id/../sda"}',
        b'{"type":"WipeSignatures","disk":"/dev/sda"}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_known_command_is_refused_and_not_run(served: Served, data: bytes) -> None:
    answer = msgspec.json.decode(served.raw(frame(data))[4:], type=frames.Answer)
    assert (answer.fault, answer.result) == ("invalid", None)
    assert served.host.ran == []


@pytest.mark.parametrize(
    "data", [b"\x00", frame(b"x")[:-1], struct.pack("!I", 1 << 31), b"GET / HTTP/1.1\r\n\r\n"]
)
def test_broken_frames_end_the_connection_and_nothing_else(served: Served, data: bytes) -> None:
    assert served.raw(data) == b""
    assert served.host.ran == []
    assert HelperHost(served.path).run(UdevSettle()).exit == 0


def test_other_users_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    strict = Served(tmp_path / "s", frozenset())
    # Root is always allowed, and the tests may be root: so another user is what the kernel tells.
    monkeypatch.setattr(helper, "_PEER", _Stranger())
    with pytest.raises(HostUnavailable, match="may not use the helper"):
        HelperHost(strict.path).run(ZpoolStatus())
    assert strict.host.ran == []
    assert strict.log[0]["event"] == "refused"
    strict.listener.close()


class _Stranger:
    size = 12

    def unpack(self, _: bytes) -> tuple[int, int, int]:
        return 4711, 65534, 65534


def test_a_missing_helper_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(HostUnavailable, match="does not answer"):
        HelperHost(tmp_path / "nobody").run(ZpoolStatus())


def test_the_socket_is_for_owner_and_group_only(served: Served) -> None:
    assert served.path.stat().st_mode & 0o777 == 0o660
