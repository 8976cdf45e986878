"""The program that has zdb count blocks: its progress, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import Result
from host.blocks.counting import EMPTY, TOO_LARGE
from host.blocks.values import Blocks, PoolBlocks
from host.commands.pools.dedup import SyncPool
from host.measuring.zdb import RESILVERS, STOPPED
from host.programs.measuring.blocks import main
from tests.host.programs.zdb_bench import Answers, ZdbBench

SAID = (Path(__file__).parents[2] / "transcripts" / "zdb" / "blocks.txt").read_bytes()
# As zdb writes its line of progress, from a count of ten minutes.
PROGRESS = tuple(
    f"\r{done} completed (  {rate}MB/s) estimated time remaining: {left}        ".encode()
    for done, rate, left in (
        (" 1.5G", 50, "0hr 09min 45sec"), ("13.0G", 52, "0hr 01min 05sec"), ("13.5G", 52, "1hr 00min 06sec"),
    )
)  # fmt: skip


def counting(
    folder: Path, monkeypatch: pytest.MonkeyPatch, progress: tuple[bytes, ...]
) -> ZdbBench[PoolBlocks]:
    return ZdbBench(
        folder, monkeypatch, what="blocks", shape=PoolBlocks, main=main,
        host=Answers({SyncPool: ""}, "no such pool"), argv=("zdb", "-PLbbbb", "tank"), output=SAID,
        progress=progress,
    )  # fmt: skip


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ZdbBench[PoolBlocks]:
    return counting(tmp_path, monkeypatch, (b"zdb: a word of its own\n", *PROGRESS))


def test_progress_is_what_zdb_foretells(bench: ZdbBench[PoolBlocks]) -> None:
    assert bench.run() == 0 and bench.said_ready
    first, slow, quick, last = bench.seen[:4]
    assert (first.share, first.left_s) == (0.0, None)
    assert slow.left_s == 585.0 and 0 < slow.share < 0.05
    assert (quick.left_s, last.left_s) == (65.0, 3606.0)
    done = bench.report()
    assert (done.verdict, done.words, done.phase, done.share, done.left_s) == ("done", "", "done", 1.0, None)
    assert done.metadata.count > 0 and done.files.count > 0 and len(done.small) == 5


def test_no_time_is_foretold_beyond_what_was_allocated_at_its_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """OpenZFS 2.3.9, of a pool that is written to meanwhile: its difference falls below zero."""
    wrapped = tuple(
        f"\r {done} completed ( 789MB/s) estimated time remaining: {left}        ".encode()
        for done, left in (("391M", "0hr 00min 30sec"), ("779M", "6193022hr 48min 24sec"))
    )
    bench = counting(tmp_path, monkeypatch, wrapped)
    bench.run()
    before, after = bench.seen[:2]
    assert before.left_s == 30.0 and after.left_s is None
    assert after.share == before.share > 0


@pytest.mark.parametrize(
    ("result", "output", "verdict", "words"),
    [
        (Result(exit=-9), SAID[:200], "failed", TOO_LARGE),
        (Result(exit=2, stderr="\r 1M completed\nzdb: can't open 'tank': Input/output error\n"), b"",
         "failed", "zdb says: zdb: can't open 'tank': Input/output error"),
        (Result(exit=1, stderr=f"zdb: no such block\n{PROGRESS[0].decode()}"), b"", "failed",
         "zdb says: zdb: no such block"),
        (Result(exit=0), b"Traversing all blocks ...\n", "empty", EMPTY),
    ],
)  # fmt: skip
def test_how_it_ends_is_said(
    bench: ZdbBench[PoolBlocks], result: Result, output: bytes, verdict: str, words: str
) -> None:
    bench.result, bench.output = result, output
    assert bench.run() == 0
    found = bench.report()
    assert (found.verdict, found.words, found.metadata, found.small) == (verdict, words, Blocks(), ())


def test_it_stops_when_asked_and_for_a_resilver(bench: ZdbBench[PoolBlocks]) -> None:
    bench.stop.now = True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", STOPPED)
    bench.stop.now, bench.busy = False, True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", RESILVERS)


def test_a_pool_that_is_gone_is_refused(
    bench: ZdbBench[PoolBlocks], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.run("gone") == 3 and not bench.said_ready
    assert capsys.readouterr().err == "cannot open 'gone': no such pool\n"
