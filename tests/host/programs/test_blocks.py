"""The program that has zdb count blocks: its progress, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed, Result
from host.blocks.counting import EMPTY, TOO_LARGE
from host.blocks.values import Blocks, PoolBlocks
from host.commands.base import Command
from host.commands.pools.dedup import SyncPool
from host.measuring.zdb import RESILVERS, STOPPED
from host.programs.measuring.blocks import main
from host.programs.measuring.snapshot import Around
from tests.host.programs.bench import Switch

SAID = (Path(__file__).parents[2] / "transcripts" / "zdb" / "blocks.txt").read_bytes()
# As zdb writes its line of progress, from a count of ten minutes.
PROGRESS = tuple(
    f"\r{done} completed (  {rate}MB/s) estimated time remaining: {left}        ".encode()
    for done, rate, left in (
        (" 1.5G", 50, "0hr 09min 45sec"), ("13.0G", 52, "0hr 01min 05sec"), ("13.5G", 52, "1hr 00min 06sec"),
    )
)  # fmt: skip


class Zpool:
    """Has tank."""

    kind = "real"

    def run(self, command: Command) -> Result:
        assert isinstance(command, SyncPool)
        if command.pool != "tank":
            said = f"cannot open '{command.pool}': no such pool\n"
            raise CommandFailed(command, Result(exit=1, stderr=said))
        return Result(exit=0)


@contextmanager
def _nothing(snapshot: str, at: Path) -> Iterator[int]:
    raise AssertionError(snapshot, at)
    yield 0


class Bench:
    """Runs it, and keeps the report after each line of progress."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self.stop, self.busy, self.said_ready = folder, Switch(), False, False
        self.result, self.output = Result(exit=0), SAID
        self.seen: list[PoolBlocks] = []
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
        assert argv == ("zdb", "-PLbbbb", "tank") and environment == {} and said is not None
        for chunk in (b"zdb: a word of its own\n", *PROGRESS):
            if asked():
                return Result(exit=-2)
            said(chunk)
            self.seen.append(self.report())
        for one in self.output.splitlines():
            line(one)
        return self.result

    def run(self, pool: str = "tank") -> int:
        def ready() -> None:
            self.said_ready = True

        around = Around(opened=_nothing, stop=self.stop, say_ready=ready, busy=lambda _pool: self.busy)
        arguments = ["--run", "0" * 16, "--pool", pool, "--reports", str(self._folder)]
        return main(arguments, around, Zpool(), self._follow)

    def report(self) -> PoolBlocks:
        text = (self._folder / f"blocks-{'0' * 16}.json").read_bytes()
        return msgspec.json.decode(text, type=PoolBlocks)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_progress_is_what_zdb_foretells(bench: Bench) -> None:
    assert bench.run() == 0 and bench.said_ready
    first, slow, quick, last = bench.seen
    assert (first.share, first.left_s) == (0.0, None)
    assert slow.left_s == 585.0 and 0 < slow.share < 0.05
    assert (quick.left_s, last.left_s) == (65.0, 3606.0)
    done = bench.report()
    assert (done.verdict, done.words, done.phase, done.share, done.left_s) == ("done", "", "done", 1.0, None)
    assert done.metadata.count > 0 and done.files.count > 0 and len(done.small) == 5


@pytest.mark.parametrize(
    ("result", "output", "verdict", "words"),
    [
        (Result(exit=-9), SAID[:200], "failed", TOO_LARGE),
        (Result(exit=2, stderr="\r 1M completed\nzdb: can't open 'tank': Input/output error\n"), b"",
         "failed", "zdb says: zdb: can't open 'tank': Input/output error"),
        (Result(exit=0), b"Traversing all blocks ...\n", "empty", EMPTY),
    ],
)  # fmt: skip
def test_how_it_ends_is_said(bench: Bench, result: Result, output: bytes, verdict: str, words: str) -> None:
    bench.result, bench.output = result, output
    assert bench.run() == 0
    found = bench.report()
    assert (found.verdict, found.words, found.metadata, found.small) == (verdict, words, Blocks(), ())


def test_it_stops_when_asked_and_for_a_resilver(bench: Bench) -> None:
    bench.stop.now = True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", STOPPED)
    bench.stop.now, bench.busy = False, True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", RESILVERS)


def test_a_pool_that_is_gone_is_refused(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.run("gone") == 3 and not bench.said_ready
    assert capsys.readouterr().err == "cannot open 'gone': no such pool\n"
