"""Carries commands out on this machine. The only module that starts a process."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import IO, NoReturn

from host import accounts, exclusive, mount_guard, not_beside
from host.base import CommandFailed, CommandTimedOut, HostError, Result, check, explained
from host.commands.base import Command
from host.commands.datasets.zfs import ZfsUnmount
from host.secrets import SecretStore
from host.system import following

ENVIRONMENT = {"LC_ALL": "C.UTF-8", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/"}
OUTPUT_LIMIT_BYTES = 64 << 20  # of each stream; a list of 500 000 snapshots has 40 MiB
_NOT_FOUND = 127  # as a shell answers
_REFUSED = 1
_CHUNK = 1 << 16
_AFTER_KILL_S = 5.0
_PAUSES_S = (0.5, 1.0, 2.0, 4.0)  # a probe of a thousand datasets takes seconds
_LONGEST_S = 20 * 86_400.0  # the kernel waits for up to 2^31 ms
Process = subprocess.Popen[bytes]
PIPE, NOTHING = subprocess.PIPE, subprocess.DEVNULL
_MOUNTS = Path("/proc/self/mountinfo")


class LocalHost:
    """This machine. Each command runs in a process group of its own, so that all of it can be ended."""

    kind = "local"

    def __init__(
        self, secrets: SecretStore | None = None, *, resolve: mount_guard.Resolve = os.path.realpath
    ) -> None:
        self._secrets = secrets or SecretStore()
        self._resolve = resolve

    def run(self, command: Command) -> Result:
        """What `command` left.

        Raises `CommandFailed`, `CommandTimedOut`, `SecretGone`, and `HostError` if it says too much.
        """
        first = command.asks_first()
        if first is not None and (why := command.objection(self.run(first).stdout)) is not None:
            raise mount_guard.refused(command, why)
        if command.mounting() is None:
            return self._run_once_free(command)
        wanted, before = mount_guard.check_places(self, command, self._resolve), _MOUNTS.read_text()
        result = self._run(command)
        # Somebody who writes to a share may have put a link there since.
        if strays := mount_guard.strays(wanted, before, _MOUNTS.read_text()):
            for name, _ in strays:
                self._run(ZfsUnmount(name=name))
            name, where = strays[0]
            raise mount_guard.refused(
                command, f"{name} came to be mounted at {where}, and was unmounted again."
            )
        return result

    def _run_once_free(self, command: Command) -> Result:
        for pause_s in _PAUSES_S:
            try:
                return self._run(command)
            except CommandFailed as failed:
                if not command.was_read_from(failed.result.stderr):
                    raise
            time.sleep(pause_s)
        return self._run(command)

    def _run(self, command: Command) -> Result:
        self._secrets.sweep()
        if (why := _refusal(command)) is not None:
            return check(command, Result(exit=_REFUSED, stderr=why))
        fed = command.feeds()
        given = self._secrets.fed(fed) if fed else command.input().encode()
        deadline = time.monotonic() + min(command.timeout_s, _LONGEST_S)
        try:
            with _open_input(given) as stdin:
                process = start(command.argv(), stdin)
        except FileNotFoundError:
            text = f"{command.argv()[0]}: command not found\n"
            return check(command, Result(exit=_NOT_FOUND, stderr=text))
        try:
            output = _collect(process, deadline, most_bytes=command.most_bytes)
            output.cut_off(command.most_bytes)
            exit_status = process.poll()
            if exit_status is None:
                exit_status = kill_group(process)
        except BaseException:
            # Such as what the handler of a signal raises: nobody would ever wait for the process.
            if process.returncode is None:
                kill_group(process)
            raise
        finally:
            _close(process)
        stdout, stderr = (bytes(part).decode("utf-8", "replace") for part in output.streams)
        result = Result(exit=exit_status, stdout=stdout, stderr=stderr, cut=output.cut)
        if output.too_much:
            raise HostError(f"{command.argv()[0]} said more than {OUTPUT_LIMIT_BYTES} bytes and was stopped.")
        if output.too_late:
            raise CommandTimedOut(command, result)
        return check(command, explained(self, command, result))


def _refusal(command: Command) -> str | None:
    """Why root does not start it, whoever asks."""
    return exclusive.refusal(command) or not_beside.refusal(command) or accounts.refusal(command)


def become(command: Command) -> NoReturn:
    """Run `command` in the place of this program, with its streams. For one that is fed nothing."""
    argv = command.argv()
    os.execvpe(argv[0], argv, ENVIRONMENT)  # noqa: S606 (a command like the others)


@contextmanager
def _open_input(given: bytes) -> Iterator[int]:
    """A descriptor to read `given` from. In memory rather than a pipe: nobody waits until it is read."""
    if not given:
        yield NOTHING
        return
    with os.fdopen(os.memfd_create("input"), "w+b") as file:
        file.write(given)
        file.seek(0)
        yield file.fileno()


def follow(
    argv: tuple[str, ...],
    *,
    environment: Mapping[str, str],
    line: Callable[[bytes], None],
    asked: Callable[[], bool],
    said: Callable[[bytes], None] | None = None,
) -> Result:
    """Run `argv` for as long as it takes, and give each line of its stdout to `line` as it comes, and what it
    writes to its stderr to `said`.

    Once `asked` says so it is interrupted, as by Ctrl+C, and ended for good where it does not end by itself.
    The result has the end of its stderr, and no stdout. For programs that outlive the helper.
    """
    try:
        with _interruptible():
            process = start(argv, NOTHING, environment=environment)
    except FileNotFoundError:
        return Result(exit=_NOT_FOUND, stderr=f"{argv[0]}: command not found\n")
    lines, errors = following.Lines(line), following.Tail(said)
    try:
        following.follow(process, lines, errors, asked)
        status = process.poll()
        return Result(exit=kill_group(process) if status is None else status, stderr=errors.text())
    except BaseException:
        if process.returncode is None:
            kill_group(process)
        raise
    finally:
        _close(process)


@contextmanager
def _interruptible() -> Iterator[None]:
    """What is started meanwhile hears the interrupt. A program that takes its signals when it checks has them
    blocked (`host.programs.signals`), and a process has blocked what its parent has."""
    before = signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start(
    argv: tuple[str, ...],
    stdin: int,
    *,
    stdout: int = PIPE,
    stderr: int = PIPE,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Process:
    """A process in a group of its own. `stdin`, `stdout` and `stderr` are descriptors, `PIPE` or `NOTHING`;
    `environment` is added to that of all. Raises `FileNotFoundError`.
    """
    return subprocess.Popen(
        argv,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        bufsize=0,
        cwd="/",
        env=ENVIRONMENT | dict(environment),
        umask=0o022,
        start_new_session=True,
    )


class _Output:
    """What a process said until it ended, was too late, or said too much."""

    def __init__(self) -> None:
        self.streams = (bytearray(), bytearray())
        self.too_late = False
        self.too_much = False
        self.cut = False

    def cut_off(self, most_bytes: int | None) -> None:
        """Leave no more than that of stdout."""
        if most_bytes is not None and len(self.streams[0]) > most_bytes:
            del self.streams[0][most_bytes:]
            self.cut, self.too_much = True, False


def _collect(process: Process, deadline: float, *, most_bytes: int | None) -> _Output:
    output = _Output()
    pipes = [pipe for pipe in (process.stdout, process.stderr) if pipe is not None]
    ended = os.pidfd_open(process.pid)
    try:
        with selectors.DefaultSelector() as selector:
            for pipe, stream in zip(pipes, output.streams, strict=True):
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, selectors.EVENT_READ, stream)
            selector.register(ended, selectors.EVENT_READ)
            while ready := selector.select(max(0.0, deadline - time.monotonic())):
                for key, _ in ready:
                    if key.data is not None and not _read(key.fd, key.data):
                        selector.unregister(key.fileobj)
                if most_bytes is not None and len(output.streams[0]) > most_bytes:
                    return output
                if any(len(stream) > OUTPUT_LIMIT_BYTES for stream in output.streams):
                    output.too_much = True
                    return output
                if any(key.data is None for key, _ in ready):
                    # It ended; a child that lives on may hold the pipes open, and is not waited for.
                    _drain(pipes, output)
                    return output
            output.too_late = True
            return output
    finally:
        os.close(ended)


def _drain(pipes: list[IO[bytes]], output: _Output) -> None:
    for pipe, stream in zip(pipes, output.streams, strict=True):
        while len(stream) <= OUTPUT_LIMIT_BYTES and _read(pipe.fileno(), stream):
            pass


def _read(descriptor: int, stream: bytearray) -> bool:
    """Appends what is there; False at the end of the stream, or when nothing is there."""
    try:
        chunk = os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return False
    stream += chunk
    return bool(chunk)


def ended(process: Process, within_s: float) -> bool:
    """Whether it has ended, or does so within that time."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(within_s)
    return process.returncode is not None


def kill_group(process: Process) -> int:
    """The exit status. A process that waits in the kernel, as on a suspended pool, ends when that lets it go:
    it is left behind rather than waited for."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        return process.wait(_AFTER_KILL_S)
    return -signal.SIGKILL


def _close(process: Process) -> None:
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            pipe.close()
