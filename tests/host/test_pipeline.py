"""What passes from one program to another, with pipes in the place of processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from host import pipeline
from host.pipeline import Carried, carry


class Pretended:
    """One end of a stream: a process that has ended with `exit_status`, or ends once it is killed."""

    pid = 4711

    def __init__(self, exit_status: int | None, given: bytes = b"") -> None:
        self.returncode = exit_status
        self.stdin: Any = None
        self.stdout: Any = None
        self.taken = b""
        reading, writing = os.pipe()
        if given:
            os.write(writing, given)
            os.close(writing)
            self.stdout = os.fdopen(reading, "rb", buffering=0)
        else:
            self.kept, self.stdin = reading, os.fdopen(writing, "wb", buffering=0)

    def poll(self) -> int | None:
        return self.returncode

    def everything(self) -> bytes:
        found = b""
        while piece := os.read(self.kept, 1 << 16):
            found += piece
        os.close(self.kept)
        return found


class Stop:
    """Asks for the end at the `at`th time that anybody looks; never without it."""

    def __init__(self, at: int | None = None) -> None:
        self.at, self.looked, self.waited = at, 0, 0.0

    def wait(self, seconds: float) -> bool:
        self.looked += 1
        self.waited += seconds
        return self.at is not None and self.looked >= self.at


type Both = Callable[..., tuple[Carried, Pretended, list[int], Stop]]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Both:
    def run(
        given: bytes, sender: int | None = 0, receiver: int | None = 0, *, stop: Stop | None = None,
        rate: int | None = None, gone: bool = False,
    ) -> tuple[Carried, Pretended, list[int], Stop]:  # fmt: skip
        ends = [Pretended(sender, given), Pretended(receiver)]
        target = ends[1]
        if gone:
            os.close(target.kept)
        starting = iter(ends)
        monkeypatch.setattr(pipeline, "start", lambda *_, **__: next(starting))

        def kill(process: Pretended) -> int:
            process.returncode = -9
            return -9

        monkeypatch.setattr(pipeline, "kill_group", kill)
        passed: list[int] = []
        asked = stop or Stop()
        done = carry(("a",), ("b",), stop=asked, passed=passed.append, rate=lambda: rate)
        return done, target, passed, asked

    return run


def test_all_of_it_arrives_and_is_counted(both: Both) -> None:
    given = os.urandom(50_000)
    done, target, passed, _ = both(given)
    assert (done.well, done.size_bytes, sum(passed)) == (True, 50_000, 50_000)
    assert target.everything() == given


def test_no_more_passes_than_the_rate_allows(both: Both) -> None:
    done, target, passed, stop = both(b"x" * 40_000, rate=20_000)
    assert done.well and target.everything() == b"x" * 40_000
    assert max(passed) <= 2000
    assert stop.waited == pytest.approx(2.0, abs=0.3)  # 40 000 bytes at 20 000 a second


def test_who_asks_for_the_end_gets_it(both: Both) -> None:
    done, target, _, _ = both(b"x" * 30_000, None, None, stop=Stop(at=1))
    assert (done.stopped, done.size_bytes, done.sender_exit, done.receiver_exit) == (True, 0, -9, -9)
    os.close(target.kept)


def test_a_sender_is_ended_where_nobody_reads_any_more(both: Both) -> None:
    done, _, _, _ = both(b"x" * 30_000, None, 1, gone=True)
    assert (done.well, done.stopped, done.sender_exit, done.receiver_exit) == (False, False, -9, 1)


def test_a_failure_of_either_is_no_success(both: Both) -> None:
    for sender, receiver in ((1, 0), (0, 1), (255, 1)):
        done, target, _, _ = both(b"x" * 10, sender, receiver)
        assert not done.well and (done.sender_exit, done.receiver_exit) == (sender, receiver)
        os.close(target.kept)
