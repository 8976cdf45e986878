"""Reads what a process says while it runs, line by line, and interrupts it once somebody asks."""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Protocol

from host.base import Result

_CHUNK = 1 << 16
_LONGEST_LINE = 8 << 20
_TAIL_BYTES = 1 << 16
_ASKED_EVERY_S = 0.25
_ENDS_WITHIN_S = 100.0  # to release its lock at the other end of a slow line


class Running(Protocol):
    """A process as `subprocess` has it."""

    pid: int
    stdout: IO[bytes] | None
    stderr: IO[bytes] | None

    def poll(self) -> int | None: ...


class Follow(Protocol):
    """`host.local.follow`: it hands over each line of a program's stdout, and what it writes to its stderr as
    it comes, and interrupts it once asked."""

    def __call__(
        self,
        argv: tuple[str, ...],
        *,
        environment: dict[str, str],
        line: Callable[[bytes], None],
        asked: Callable[[], bool],
        said: Callable[[bytes], None] | None = None,
    ) -> Result: ...


class Lines:
    """Cuts what comes into lines. One without an end is given up, as nothing we follow has it."""

    def __init__(self, line: Callable[[bytes], None]) -> None:
        self._line, self._rest = line, b""

    def take(self, chunk: bytes) -> None:
        """Hand over the lines that are whole now."""
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        for one in whole:
            self._line(one)
        if len(self._rest) > _LONGEST_LINE:
            self._rest = b""

    def end(self) -> None:
        """What was left without a line's end."""
        if self._rest:
            self._line(self._rest)


class Tail:
    """The last bytes of a stream. Each chunk is handed over to `said`, too."""

    def __init__(self, said: Callable[[bytes], None] | None = None) -> None:
        self._said = said
        self._kept = b""

    def take(self, chunk: bytes) -> None:
        """Keep the last of them."""
        self._kept = (self._kept + chunk)[-_TAIL_BYTES:]
        if self._said is not None and chunk:
            self._said(chunk)

    def text(self) -> str:
        """As far as it is UTF-8."""
        return self._kept.decode("utf-8", "replace")


def follow(process: Running, lines: Lines, errors: Tail, asked: Callable[[], bool]) -> None:
    """Until it ends, or has not ended long after it was interrupted."""
    interrupted: float | None = None
    with selectors.DefaultSelector() as selector:
        for pipe, take in ((process.stdout, lines.take), (process.stderr, errors.take)):
            if pipe is not None:
                os.set_blocking(pipe.fileno(), False)
                selector.register(pipe, selectors.EVENT_READ, take)
        while True:
            ended = process.poll() is not None
            for key, _ in selector.select(0 if ended else _ASKED_EVERY_S):
                if not _read(key.fd, key.data):
                    selector.unregister(key.fileobj)
            if ended:
                break
            if interrupted is None and asked():
                interrupted = time.monotonic()
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGINT)
            if interrupted is not None and time.monotonic() - interrupted > _ENDS_WITHIN_S:
                break
        for key in list(selector.get_map().values()):
            while _read(key.fd, key.data):
                pass
    lines.end()


def _read(descriptor: int, take: Callable[[bytes], None]) -> bool:
    """False at the end of the stream, or where nothing is there."""
    try:
        chunk = os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return False
    take(chunk)
    return bool(chunk)
