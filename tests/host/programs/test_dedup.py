"""The program that has zdb count equal blocks: its progress, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed, Result
from host.commands.base import Command
from host.commands.pools.dedup import ListObjectSets, SyncPool
from host.dedup.estimating import EMPTY, TOO_LARGE
from host.dedup.values import DedupEstimate
from host.measuring.zdb import RESILVERS, STOPPED
from host.programs.measuring.dedup import main
from host.programs.measuring.snapshot import Around
from tests.host.programs.bench import Switch

SAID = (Path(__file__).parents[2] / "transcripts" / "zdb" / "simulated.txt").read_bytes()
# As listed beside that transcript; the last is of a snapshot that came while it was read.
WRITTEN = "54\t0\n102\t24576\n69\t5131264\n106\t100363264\n108\t0\n104\t100364288\n-\t-\n"


class Zfs:
    """Lists the object sets of tank."""

    kind = "real"

    def run(self, command: Command) -> Result:
        if isinstance(command, SyncPool):
            return Result(exit=0)
        assert isinstance(command, ListObjectSets)
        if command.pool != "tank":
            said = f"cannot open '{command.pool}': dataset does not exist\n"
            raise CommandFailed(command, Result(exit=1, stderr=said))
        return Result(exit=0, stdout=WRITTEN)


@contextmanager
def _nothing(snapshot: str, at: Path) -> Iterator[int]:
    raise AssertionError(snapshot, at)
    yield 0


class Bench:
    """Runs it, and keeps each report after a line of zdb."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self.stop, self.busy, self.said_ready = folder, Switch(), False, False
        self.result, self.output = Result(exit=0), SAID
        self.seen: list[DedupEstimate] = []
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
        assert argv == ("stdbuf", "-oL", "zdb", "-SS", "tank") and environment == {}
        for one in self.output.splitlines():
            if asked():
                return Result(exit=-2)
            line(one)
            self.seen.append(self.report())
        return self.result

    def run(self, pool: str = "tank") -> int:
        def ready() -> None:
            self.said_ready = True

        around = Around(opened=_nothing, stop=self.stop, say_ready=ready, busy=lambda _pool: self.busy)
        arguments = ["--run", "0" * 16, "--pool", pool, "--reports", str(self._folder)]
        return main(arguments, around, Zfs(), self._follow)

    def report(self) -> DedupEstimate:
        text = (self._folder / f"dedup-{'0' * 16}.json").read_bytes()
        return msgspec.json.decode(text, type=DedupEstimate)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_progress_is_what_the_object_sets_hold(bench: Bench) -> None:
    assert bench.run() == 0 and bench.said_ready
    shares = [round(one.share, 3) for one in bench.seen[:6]]
    assert shares == [0.0, 0.0, 0.025, 0.025, 0.513, 1.0]
    assert [one.different_blocks for one in bench.seen[:6]] == [0, 0, 39, 39, 346, 653]
    assert bench.seen[4].left_s is not None and bench.seen[1].left_s is None
    done = bench.report()
    assert (done.verdict, done.words, done.phase, done.share) == ("done", "", "done", 1.0)
    assert [row.references for row in done.rows] == [1, 2] and done.different_blocks == 654


@pytest.mark.parametrize(
    ("result", "output", "verdict", "words"),
    [
        (Result(exit=-9), SAID[:200], "failed", TOO_LARGE),
        (Result(exit=1, stderr="zdb: can't open 'tank': Input/output error\n\n"), b"", "failed",
         "zdb says: zdb: can't open 'tank': Input/output error"),
        (Result(exit=0), b"Simulated DDT histogram:\n", "empty", EMPTY),
    ],
)  # fmt: skip
def test_how_it_ends_is_said(bench: Bench, result: Result, output: bytes, verdict: str, words: str) -> None:
    bench.result, bench.output = result, output
    assert bench.run() == 0
    assert (bench.report().verdict, bench.report().words, bench.report().rows) == (verdict, words, ())


def test_it_stops_when_asked_and_for_a_resilver(bench: Bench) -> None:
    bench.stop.now = True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", STOPPED)
    bench.stop.now, bench.busy = False, True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", RESILVERS)


def test_a_pool_that_is_gone_is_refused(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.run("gone") == 3 and not bench.said_ready
    assert capsys.readouterr().err == "cannot open 'gone': dataset does not exist\n"
