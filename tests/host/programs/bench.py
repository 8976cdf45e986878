"""A disk that is a file, a clock that advances when it is read, and SMART that answers from a list."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import msgspec

from host.inventory import SelfTest, SmartReading

MIB = 1 << 20


def clock(step: float = 0.01) -> Callable[[], float]:
    """Each reading is `step` seconds after the one before."""
    now = 0.0

    def read() -> float:
        nonlocal now
        now += step
        return now

    return read


def open_disk(size_bytes: int) -> Iterator[int]:
    """A descriptor of a file full of zeros, in memory."""
    descriptor = os.memfd_create("disk")
    os.ftruncate(descriptor, size_bytes)
    yield descriptor
    os.close(descriptor)


class Stopping:
    """Someone who asks for the end at the n-th check, or never."""

    def __init__(self, at: int | None = None) -> None:
        self.at, self.checks, self.waited = at, 0, 0.0

    def asked(self) -> bool:
        self.checks += 1
        return self.at is not None and self.checks >= self.at

    def wait(self, seconds: float) -> bool:
        self.waited += seconds
        return self.asked()


def reading(**changes: object) -> SmartReading:
    return msgspec.structs.replace(
        SmartReading(
            at="2026-11-21T15:00:00+00:00", supported=True, reallocated_sectors=0, pending_sectors=0
        ),
        **changes,
    )


def entry(result: str, **more: object) -> SelfTest:
    return msgspec.convert({"kind": "long", "result": result, "words": f"it {result}", **more}, SelfTest)


class Smart:
    """Answers with `readings` one after the other; None stands for no answer."""

    def __init__(self, *readings: SmartReading | None, starts: bool = True) -> None:
        self.readings, self.starts = list(readings), starts
        self.started = self.aborted = 0

    def read(self) -> SmartReading | None:
        return self.readings.pop(0)

    def start(self) -> bool:
        self.started += 1
        return self.starts

    def abort(self) -> None:
        self.aborted += 1


class Switch:
    """Someone who asks for the end once it is thrown; nothing waits for that."""

    def __init__(self) -> None:
        self.now = False

    def asked(self) -> bool:
        return self.now

    def wait(self, seconds: float) -> bool:
        raise AssertionError(seconds)
