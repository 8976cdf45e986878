"""The local host: how a command is started, without one being started."""

from __future__ import annotations

import signal
import subprocess
from typing import Any

import pytest

from host.base import CommandFailed, CommandTimedOut
from host.commands import ZpoolLabelclear, ZpoolStatus
from host.local import LocalHost


class Process:
    """Stands in for `subprocess.Popen`; `hangs` lets it miss its time limit once."""

    def __init__(
        self, *, exit_status: int = 0, out: bytes = b"", err: bytes = b"", hangs: bool = False
    ) -> None:
        self.returncode, self.out, self.err, self.hangs, self.pid = exit_status, out, err, hangs, 4711
        self.started: dict[str, Any] = {}

    def __call__(self, argv: tuple[str, ...], **options: Any) -> Process:
        self.started = {"argv": argv, **options}
        return self

    def communicate(self, timeout: float) -> tuple[bytes, bytes]:
        if self.hangs:
            self.hangs = False
            raise subprocess.TimeoutExpired("x", timeout)
        return self.out, self.err


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Any:
    def put(process: Any) -> Any:
        monkeypatch.setattr(subprocess, "Popen", process)
        return process

    return put


def test_a_command_is_started_without_a_shell_in_its_own_session_with_a_fixed_environment(start: Any) -> None:
    process = start(Process(out=b"{}"))
    assert LocalHost().run(ZpoolStatus()).stdout == "{}"
    assert process.started["argv"] == ZpoolStatus().argv()
    assert process.started["env"]["LC_ALL"] == "C.UTF-8"
    assert process.started["env"]["PATH"] == "/usr/sbin:/usr/bin:/sbin:/bin"
    assert process.started["start_new_session"] is True
    assert process.started["stdin"] == subprocess.DEVNULL
    assert "shell" not in process.started


def test_a_status_that_is_no_success_keeps_the_raw_text(start: Any) -> None:
    start(Process(exit_status=2, err=b"bad \xff byte"))
    with pytest.raises(CommandFailed) as failed:
        LocalHost().run(ZpoolStatus())
    assert (failed.value.result.exit, failed.value.result.stderr) == (2, "bad \\xff byte")


def test_some_commands_count_other_statuses_as_success(start: Any) -> None:
    start(Process(exit_status=1))
    assert LocalHost().run(ZpoolLabelclear(device="/dev/disk/by-id/ata-x-part1")).exit == 1


def test_a_command_that_takes_too_long_is_killed_with_its_whole_group(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[tuple[int, int]] = []
    monkeypatch.setattr("os.killpg", lambda group, sign: killed.append((group, sign)))
    start(Process(hangs=True, err=b"half"))
    with pytest.raises(CommandTimedOut, match="stopped after 60 s"):
        LocalHost().run(ZpoolStatus())
    assert killed == [(4711, signal.SIGTERM)]


def test_a_missing_program_is_a_failed_command(start: Any) -> None:
    def missing(*_: Any, **__: Any) -> None:
        raise FileNotFoundError(2, "No such file or directory")

    start(missing)
    with pytest.raises(CommandFailed) as failed:
        LocalHost().run(ZpoolStatus())
    assert failed.value.result.exit == 127
