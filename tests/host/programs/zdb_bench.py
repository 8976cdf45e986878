"""Runs a program that has zdb read a pool, with what zdb says, and keeps its report as it grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from host.base import CommandFailed, Host, Result
from host.commands.base import Command
from host.programs.measuring.snapshot import Around
from tests.host.programs.bench import Switch


class Answers:
    """A machine with the pool tank: `answers` has what a command prints, `missing` what it says of others."""

    kind = "real"

    def __init__(self, answers: dict[type[Command], str], missing: str) -> None:
        self._answers, self._missing = answers, missing

    def run(self, command: Command) -> Result:
        said = self._answers[type(command)]
        pool = msgspec.structs.asdict(command)["pool"]
        if pool != "tank":
            raise CommandFailed(command, Result(exit=1, stderr=f"cannot open '{pool}': {self._missing}\n"))
        return Result(exit=0, stdout=said)


@contextmanager
def _nothing(snapshot: str, at: Path) -> Iterator[int]:
    raise AssertionError(snapshot, at)
    yield 0


class ZdbBench[T]:
    """`what` is the kind of measurement, `shape` that of its report. zdb is started with `argv`, and writes
    `progress` to its stderr before the lines of `output`.
    """

    def __init__(
        self,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        *,
        what: str,
        shape: type[T],
        main: Callable[..., int],
        host: Host,
        argv: tuple[str, ...],
        output: bytes,
        progress: Sequence[bytes] = (),
    ) -> None:
        self._folder, self._what, self._shape = folder, what, shape
        self._main, self._host, self._argv, self._progress = main, host, argv, progress
        self.stop, self.busy, self.said_ready = Switch(), False, False
        self.result, self.output = Result(exit=0), output
        self.seen: list[T] = []
        self._clock = 0.0
        monkeypatch.setattr("time.monotonic", self._time)

    def _time(self) -> float:
        self._clock += 3.0  # so that each note is written
        return self._clock

    def _follow(
        self,
        argv: tuple[str, ...],
        *,
        environment: dict[str, str],
        line: Callable[[bytes], None],
        asked: Callable[[], bool],
        said: Callable[[bytes], None] | None = None,
    ) -> Result:
        assert argv == self._argv and environment == {}
        chunks: list[tuple[Callable[[bytes], None], bytes]] = []
        if said is not None:
            chunks += [(said, one) for one in self._progress]
        chunks += [(line, one) for one in self.output.splitlines()]
        for take, one in chunks:
            if asked():
                return Result(exit=-2)
            take(one)
            self.seen.append(self.report())
        return self.result

    def run(self, pool: str = "tank") -> int:
        """The exit status of the program."""

        def ready() -> None:
            self.said_ready = True

        around = Around(opened=_nothing, stop=self.stop, say_ready=ready, busy=lambda _pool: self.busy)
        arguments: list[Any] = ["--run", "0" * 16, "--pool", pool, "--reports", str(self._folder)]
        return self._main(arguments, around, self._host, self._follow)

    def report(self) -> T:
        """As it stands now."""
        text = (self._folder / f"{self._what}-{'0' * 16}.json").read_bytes()
        return msgspec.json.decode(text, type=self._shape)
