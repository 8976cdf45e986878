"""One program's output as another one's input, with what passes counted, limited and stopped at will.

What passes is never copied into this process: the kernel moves it from pipe to pipe (splice(2)).
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from fcntl import F_SETPIPE_SZ, fcntl
from typing import IO, Protocol

import msgspec

from host.local import NOTHING, PIPE, Process, ended, kill_group, start

_PIPE_BYTES = 1 << 20  # what a user may have without asking (/proc/sys/fs/pipe-max-size)
_LOOK_S = 0.5
_BURST_S = 0.1  # of a limited rate: what may pass at once
_SAID_BYTES = 4096
_GRACE_S = 120.0  # for the receiving side to put what it has on its disks


class Stopping(Protocol):
    """Whether someone asked for the end; see `host.programs.signals.Stop`."""

    def wait(self, seconds: float) -> bool:
        """Wait for a stop, so long at most; whether it was asked for."""


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """What became of both programs: their exit statuses and the end of what they said on stderr."""

    size_bytes: int
    stopped: bool
    sender_exit: int
    sender_said: str
    receiver_exit: int
    receiver_said: str

    @property
    def well(self) -> bool:
        """Whether both ended well."""
        return not (self.stopped or self.sender_exit or self.receiver_exit)


def carry(
    sender: tuple[str, ...],
    receiver: tuple[str, ...],
    *,
    stop: Stopping,
    passed: Callable[[int], None],
    rate: Callable[[], int | None],
) -> Carried:
    """Run both until they end. `passed` hears the bytes of each piece, `rate` how many may pass a second.

    Where one of them ends early, or someone asks for the end, the other one is ended too.
    Raises `FileNotFoundError` for a program that is not there.
    """
    with _said() as sender_said, _said() as receiver_said:
        source = start(sender, NOTHING, stderr=sender_said.fileno())
        try:
            target = start(receiver, PIPE, stdout=NOTHING, stderr=receiver_said.fileno())
        except BaseException:
            _end(source)
            raise
        try:
            size, stopped, whole = _move(source, target, stop, passed, rate)
            if target.stdin is not None:
                target.stdin.close()  # whoever reads sees the end
            if not whole:
                _end(source)
            exits = (_wait(source, stop), _wait(target, stop))
        except BaseException:
            _end(target)
            raise
        finally:
            _end(source)
            _end(target)
        return Carried(
            size_bytes=size, stopped=stopped, sender_exit=exits[0], sender_said=_text(sender_said),
            receiver_exit=exits[1], receiver_said=_text(receiver_said),
        )  # fmt: skip


def _move(
    source: Process,
    target: Process,
    stop: Stopping,
    passed: Callable[[int], None],
    rate: Callable[[], int | None],
) -> tuple[int, bool, bool]:
    """The bytes that passed, whether someone asked for the end, and whether the sender came to its end."""
    if source.stdout is None or target.stdin is None:
        raise ValueError("Both ends are pipes")
    reading, writing = source.stdout.fileno(), target.stdin.fileno()
    for descriptor in (reading, writing):
        with suppress(OSError):  # a smaller pipe does, too
            fcntl(descriptor, F_SETPIPE_SZ, _PIPE_BYTES)
    there, free = select.poll(), select.poll()
    there.register(reading, select.POLLIN)
    free.register(writing, select.POLLOUT)
    size = 0
    while not stop.wait(0):
        if not there.poll(_LOOK_S * 1000):
            continue
        ready = free.poll(_LOOK_S * 1000)
        if ready and ready[0][1] & (select.POLLERR | select.POLLHUP):
            return size, False, False  # nobody reads any more
        if not ready:
            continue
        limit = rate()
        most = _PIPE_BYTES if limit is None else max(1, min(_PIPE_BYTES, int(limit * _BURST_S)))
        began = time.monotonic()
        try:
            moved = os.splice(reading, writing, most, flags=os.SPLICE_F_MOVE | os.SPLICE_F_NONBLOCK)
        except BlockingIOError:
            stop.wait(0.01)
            continue
        except BrokenPipeError:
            return size, False, False
        if not moved:
            return size, False, True
        size += moved
        passed(moved)
        if limit is not None and (left := moved / limit - (time.monotonic() - began)) > 0:
            stop.wait(left)
    return size, True, False


def _said() -> IO[bytes]:
    """A file in memory for what a program says: nobody has to read it while it runs."""
    return os.fdopen(os.memfd_create("said"), "w+b")


def _text(file: IO[bytes]) -> str:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _SAID_BYTES))
    return file.read().decode("utf-8", "replace")


def _wait(process: Process, stop: Stopping) -> int:
    """Its exit status. Whoever was asked to end waits no longer than a moment for it."""
    end = time.monotonic() + _GRACE_S
    while process.poll() is None:
        if time.monotonic() > end or stop.wait(0):
            return kill_group(process)
        ended(process, _LOOK_S)
    return process.returncode


def _end(process: Process) -> None:
    if process.poll() is None:
        kill_group(process)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()
