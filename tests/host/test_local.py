"""LocalHost with a process that is none: pipes filled beforehand, and a descriptor that says it ended."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from host import local
from host.base import CommandFailed, CommandTimedOut, HostError
from host.commands.base import Command
from host.commands.datasets.snapshots import ZfsDiff
from host.commands.datasets.zfs import ZfsVersion
from host.commands.disks.enclosure import SlotLight
from host.commands.disks.md import MdStop
from host.commands.disks.partition import UdevSettle
from host.commands.pools.benchmark import RemoveBenchmarkDataset
from host.commands.pools.importing import ZpoolExport
from host.commands.pools.zpool import ZpoolDestroy
from host.commands.units import StartBlink
from host.mount_guard import REFUSED


class Pretended:
    """What subprocess.Popen would give. It has ended when `ended` is readable."""

    pid = 4711

    def __init__(self, *, exit_status: int | None, stdout: bytes = b"", stderr: bytes = b"") -> None:
        self.returncode = exit_status
        self.arguments: tuple[str, ...] = ()
        self.options: dict[str, Any] = {}
        self.killed: list[tuple[int, int]] = []
        self.unkillable = False
        self._open: list[int] = []
        self.stdout, self.stderr = self._pipe(stdout), self._pipe(stderr)
        self.ended, end = os.pipe()
        if exit_status is None:
            self._open.append(end)
        else:
            os.close(end)

    def _pipe(self, content: bytes) -> Any:
        # A child that lives on holds the writing end: it stays open here too.
        reading, writing = os.pipe()
        os.write(writing, content)
        self._open.append(writing)
        return os.fdopen(reading, "rb", buffering=0)

    def __call__(self, argv: tuple[str, ...], **options: Any) -> Pretended:
        self.arguments, self.options = argv, options
        return self

    def close(self) -> None:
        for descriptor in self._open:
            with suppress(OSError):
                os.close(descriptor)
        self.stdout.close()
        self.stderr.close()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float) -> int:
        if self.unkillable:
            raise subprocess.TimeoutExpired(self.arguments, timeout)
        self.returncode = -signal.SIGKILL
        return self.returncode


@pytest.fixture
def start(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    made: list[Pretended] = []

    def prepare(**what: Any) -> Pretended:
        process = Pretended(**what)
        made.append(process)
        monkeypatch.setattr(subprocess, "Popen", process)
        monkeypatch.setattr(os, "pidfd_open", lambda pid: process.ended)
        monkeypatch.setattr(os, "killpg", lambda group, number: process.killed.append((group, number)))
        return process

    yield prepare
    for process in made:
        process.close()


def test_a_command_runs_apart_from_everything_around_it(start: Any) -> None:
    process = start(exit_status=0, stdout=b"{}\n")
    result = local.LocalHost().run(ZfsVersion())
    assert (result.exit, result.stdout, result.stderr) == (0, "{}\n", "")
    assert process.arguments == ("zfs", "version", "-j")
    assert process.options["env"] == {
        "LC_ALL": "C.UTF-8",
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/",
    }
    assert process.options["stdin"] == subprocess.DEVNULL
    assert process.options["start_new_session"] is True
    assert process.options["umask"] == 0o022
    assert "shell" not in process.options


def test_what_a_command_is_fed_arrives_whole_and_then_ends(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start(exit_status=0, stdout=b"1\n")
    fed: list[bytes] = []

    def popen(argv: tuple[str, ...], **options: Any) -> Any:
        fed.append(os.read(options["stdin"], 100) + os.read(options["stdin"], 100))
        return process(argv, **options)

    monkeypatch.setattr(subprocess, "Popen", popen)
    local.LocalHost().run(SlotLight(path="/sys/devices/x/y/enclosure/0:0:0:0/Slot01", on=True))
    assert fed == [b"1\n"]
    assert process.arguments == ("tee", "/sys/devices/x/y/enclosure/0:0:0:0/Slot01/locate")
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(process.options["stdin"])


def test_streams_are_kept_apart_and_a_bad_status_is_an_error(start: Any) -> None:
    start(exit_status=1, stdout=b"out", stderr=b"cannot open 'tank': no such pool\n")
    with pytest.raises(CommandFailed) as failure:
        local.LocalHost().run(ZpoolDestroy(name="tank"))
    assert failure.value.result.stdout == "out"
    assert failure.value.result.stderr == "cannot open 'tank': no such pool\n"


def _in_turn(monkeypatch: pytest.MonkeyPatch, *processes: Pretended) -> None:
    waiting = list(processes)
    monkeypatch.setattr(subprocess, "Popen", lambda argv, **options: waiting[0](argv, **options))
    monkeypatch.setattr(os, "pidfd_open", lambda pid: waiting.pop(0).ended)


BUSY = {
    ZpoolExport(name="travel"): b"cannot export 'travel': pool is busy\n",
    ZpoolDestroy(name="travel"): b"cannot destroy 'travel': pool is busy\n",
    MdStop(array="/dev/md127"): (
        b"mdadm: failed to stop array /dev/md127: Device or resource busy\n"
        b"Perhaps a running process, mounted filesystem or active volume group?\n"
    ),
}


@pytest.mark.parametrize("command", BUSY, ids=lambda one: type(one).__name__)
def test_what_a_probe_reads_is_let_go_a_moment_later(
    start: Any, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    busy = [start(exit_status=1, stderr=BUSY[command]) for _ in range(2)]
    _in_turn(monkeypatch, *busy, start(exit_status=0))
    assert local.LocalHost().run(command).exit == 0
    assert pauses == [0.5, 1.0]
    _in_turn(monkeypatch, *(start(exit_status=1, stderr=BUSY[command]) for _ in range(5)))
    with pytest.raises(CommandFailed, match=r"pool is busy|resource busy"):
        local.LocalHost().run(command)
    assert len(pauses) == 6


def test_a_pool_whose_folder_is_in_use_is_not_tried_again(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_use = b"cannot unmount '/mnt/travel': pool or dataset is busy\n"
    _in_turn(monkeypatch, start(exit_status=1, stderr=in_use))
    with pytest.raises(CommandFailed, match="cannot unmount"):
        local.LocalHost().run(ZpoolExport(name="travel"))


@pytest.mark.parametrize(
    "said", [b"-\t-\n", b"on\treceived\n", b"on\tinherited from tank\n", b"off\tlocal\n"]
)
def test_what_no_benchmark_made_is_not_destroyed_whatever_it_is_called(
    start: Any, monkeypatch: pytest.MonkeyPatch, said: bytes
) -> None:
    asked = start(exit_status=0, stdout=said)
    _in_turn(monkeypatch, asked)
    with pytest.raises(CommandFailed, match="made by no benchmark, and is left alone") as refused:
        local.LocalHost().run(RemoveBenchmarkDataset(pool="tank"))
    assert refused.value.result.exit == REFUSED
    assert asked.arguments == (
        "zfs", "get", "-Hp", "-o", "value,source", "nasweb:benchmark", "tank/.nasweb-benchmark",
    )  # fmt: skip


def test_what_a_benchmark_made_is_destroyed(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    marked, done = start(exit_status=0, stdout=b"on\tlocal\n"), start(exit_status=0)
    _in_turn(monkeypatch, marked, done)
    assert local.LocalHost().run(RemoveBenchmarkDataset(pool="tank")).exit == 0
    assert done.arguments == ("zfs", "destroy", "-r", "tank/.nasweb-benchmark")


def test_what_cannot_be_destroyed_does_not_count_as_gone(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    busy = b"cannot destroy 'tank/.nasweb-benchmark': dataset is busy\n"
    _in_turn(monkeypatch, start(exit_status=0, stdout=b"on\tlocal\n"), start(exit_status=1, stderr=busy))
    with pytest.raises(CommandFailed, match="dataset is busy"):
        local.LocalHost().run(RemoveBenchmarkDataset(pool="tank"))


def test_where_no_benchmark_left_anything_there_is_nothing_to_destroy(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = b"cannot open 'tank/.nasweb-benchmark': dataset does not exist\n"
    _in_turn(monkeypatch, *(start(exit_status=1, stderr=none) for _ in range(2)))
    assert local.LocalHost().run(RemoveBenchmarkDataset(pool="tank")).exit == 1
    # Where it cannot be known what is there, nothing is destroyed.
    _in_turn(monkeypatch, start(exit_status=1, stderr=b"cannot open 'tank': pool I/O is suspended\n"))
    with pytest.raises(CommandFailed, match="suspended"):
        local.LocalHost().run(RemoveBenchmarkDataset(pool="tank"))


BLINK = StartBlink(disk="/dev/disk/by-id/ata-X_1", serial="X-1", seconds=5)
JOB_FAILED = b"Job for nasweb-disk-blink-X-1.service failed.\n"


def test_what_another_program_knows_of_a_failure_is_appended(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = start(exit_status=1, stderr=JOB_FAILED)
    journal = start(exit_status=0, stdout=b"/dev/disk/by-id/ata-X_1 is asleep, and is not woken for this.\n")
    _in_turn(monkeypatch, failing, journal)
    with pytest.raises(
        CommandFailed, match=r"Job for .* failed\.\n/dev/disk/by-id/ata-X_1 is asleep"
    ) as failure:
        local.LocalHost().run(BLINK)
    assert failure.value.command == BLINK and failure.value.result.exit == 1
    assert journal.arguments == (
        "journalctl", "--quiet", "--output=cat", "--since=-300s", "--lines=1",
        "_SYSTEMD_UNIT=nasweb-disk-blink-X-1.service",
    )  # fmt: skip


def test_where_nobody_knows_more_the_failure_is_reported_as_it_is(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing, journal = start(exit_status=1, stderr=JOB_FAILED), start(exit_status=1, stderr=b"no journal\n")
    _in_turn(monkeypatch, failing, journal)
    with pytest.raises(CommandFailed) as failure:
        local.LocalHost().run(BLINK)
    assert failure.value.result.stderr.encode() == JOB_FAILED
    start(exit_status=1, stderr=b"Unit x was already loaded.\n")  # and the journal is not asked
    with pytest.raises(CommandFailed, match="already loaded"):
        local.LocalHost().run(BLINK)


def test_after_its_time_the_whole_group_is_killed(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    process = start(exit_status=None, stdout=b"half")
    monkeypatch.setattr(UdevSettle, "timeout_s", 0.01)
    with pytest.raises(CommandTimedOut) as failure:
        local.LocalHost().run(UdevSettle())
    assert process.killed == [(4711, signal.SIGKILL)]
    assert failure.value.result.stdout == "half"


def test_a_command_that_the_kernel_does_not_let_go_is_left_behind(
    start: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start(exit_status=None)
    process.unkillable = True
    monkeypatch.setattr(UdevSettle, "timeout_s", 0.01)
    with pytest.raises(CommandTimedOut) as failure:
        local.LocalHost().run(UdevSettle())
    assert process.killed == [(4711, signal.SIGKILL)]
    assert failure.value.result.exit == -signal.SIGKILL


def test_a_command_that_floods_us_is_stopped(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    process = start(exit_status=None, stdout=b"x" * 1000)
    monkeypatch.setattr(local, "OUTPUT_LIMIT_BYTES", 999)
    with pytest.raises(HostError, match="said more than 999 bytes"):
        local.LocalHost().run(ZfsVersion())
    assert process.killed == [(4711, signal.SIGKILL)]


def test_what_interrupts_the_wait_ends_the_command(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    process = start(exit_status=None)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt  # as a handler of a signal does

    monkeypatch.setattr(selectors.DefaultSelector, "select", interrupted)
    with pytest.raises(KeyboardInterrupt):
        local.LocalHost().run(ZfsVersion())
    assert process.killed == [(4711, signal.SIGKILL)]
    assert process.stdout.closed


def test_bytes_that_are_no_text_do_no_harm(start: Any) -> None:
    start(exit_status=0, stdout=b"a\xffb")
    assert local.LocalHost().run(ZfsVersion()).stdout == "a\ufffdb"


def test_a_program_that_is_not_installed_is_a_failed_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object, **__: object) -> None:
        raise FileNotFoundError

    monkeypatch.setattr(subprocess, "Popen", missing)
    with pytest.raises(CommandFailed, match="zfs: command not found") as failure:
        local.LocalHost().run(ZfsVersion())
    assert failure.value.result.exit == 127


@pytest.mark.parametrize("exit_status", [0, None])
def test_what_says_more_than_anybody_needs_is_cut_off_and_ended(
    start: Any, monkeypatch: pytest.MonkeyPatch, exit_status: int | None
) -> None:
    monkeypatch.setattr(ZfsDiff, "most_bytes", 10)
    process = start(exit_status=exit_status, stdout=b"0123456789 and more")
    result = local.LocalHost().run(ZfsDiff(older="tank@one"))
    assert (result.stdout, result.cut) == ("0123456789", True)
    assert process.killed == ([] if exit_status == 0 else [(4711, signal.SIGKILL)])


def test_what_says_just_enough_is_whole(start: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ZfsDiff, "most_bytes", 10)
    start(exit_status=0, stdout=b"0123456789")
    result = local.LocalHost().run(ZfsDiff(older="tank@one"))
    assert (result.stdout, result.cut) == ("0123456789", False)


def test_what_is_followed_hears_the_interrupt_where_its_parent_takes_signals_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As the programs that have `host.programs.signals.Stop`: their processes would have it blocked, too."""
    blocked: list[set[int]] = []

    def not_started(*_: object, **__: object) -> None:
        blocked.append(set(signal.pthread_sigmask(signal.SIG_BLOCK, ())))
        raise FileNotFoundError

    monkeypatch.setattr(local, "start", not_started)
    ending = {signal.SIGTERM, signal.SIGINT}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    try:
        local.follow(("zdb",), environment={}, line=lambda _: None, asked=lambda: True)
        after = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    assert signal.SIGINT not in blocked[0] and signal.SIGTERM in blocked[0]
    assert ending <= set(after)
