"""The file behind a simulated machine: many processes read it, one at a time changes it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

import msgspec

from host.simulated.state import Machine

_decoder = msgspec.json.Decoder(Machine)


class Store:
    """One state file, made by `build` when it is missing. Replaced whole, so readers never see half."""

    def __init__(self, path: Path, build: Callable[[], Machine]) -> None:
        self._path = path
        self._build = build
        self._known: tuple[int, int] | None = None
        self._machine: Machine | None = None
        self._one_reads = RLock()  # a probe reads from many threads at once: one of them decodes for all

    def read(self) -> Machine:
        """The machine as it is now. Do not change it: it is kept while the file stays the same."""
        with self._one_reads:
            return self._read()

    def _read(self) -> Machine:
        try:
            known = _identity(self._path.stat())
        except FileNotFoundError:
            with self._lock():
                if not self._path.exists():
                    self._write(self._build())
            known = _identity(self._path.stat())
        machine = self._machine if known == self._known else None
        if machine is None:
            self._machine = None  # a crowded machine is large: never hold it twice
            machine = self._decode()
            self._machine, self._known = machine, known
        return machine

    @contextmanager
    def change(self) -> Iterator[Machine]:
        """A machine to be changed; kept if the block ends well, else forgotten."""
        self.read()
        with self._lock():
            self._machine = self._known = None
            machine = self._decode()
            yield machine
            self._write(machine)
            self._machine, self._known = machine, _identity(self._path.stat())

    def _decode(self) -> Machine:
        machine = _decoder.decode(self._path.read_bytes())
        machine.folder = str(self._path.parent)
        return machine

    def _write(self, machine: Machine) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_name(f"{self._path.name}.new")
        fresh.write_bytes(msgspec.json.encode(machine))
        # The kernel stamps files in steps of milliseconds and reuses inodes: two writes could seem equal.
        now = time.time_ns()
        os.utime(fresh, ns=(now, now))
        fresh.replace(self._path)

    @contextmanager
    def _lock(self) -> Iterator[None]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_name(f"{self._path.name}.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def _identity(stat: os.stat_result) -> tuple[int, int]:
    return stat.st_ino, stat.st_mtime_ns
