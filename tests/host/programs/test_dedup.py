"""The program that has zdb count equal blocks: its progress, and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.base import Result
from host.commands.pools.dedup import ListObjectSets, SyncPool
from host.dedup.estimating import CHANGED, EMPTY, TOO_LARGE
from host.dedup.values import DedupEstimate
from host.measuring.zdb import RESILVERS, STOPPED
from host.programs.measuring.dedup import main
from tests.host.programs.zdb_bench import Answers, ZdbBench

SAID = (Path(__file__).parents[2] / "transcripts" / "zdb" / "simulated.txt").read_bytes()
# As listed beside that transcript; the last is of a snapshot that came while it was read.
WRITTEN = "54\t0\n102\t24576\n69\t5131264\n106\t100363264\n108\t0\n104\t100364288\n-\t-\n"

_LINES = SAID.splitlines(keepends=True)
BEGUN = b"".join(line for line in _LINES if line.startswith(b"traversing"))
# As zdb says it where a block was used anew before it came to the last object set: with exit status 0.
WITHOUT_LAST = b"".join(line for line in _LINES if not line.startswith(b"traversing objset 104"))


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ZdbBench[DedupEstimate]:
    return ZdbBench(
        tmp_path, monkeypatch, what="dedup", shape=DedupEstimate, main=main,
        host=Answers({ListObjectSets: WRITTEN, SyncPool: ""}, "dataset does not exist"),
        argv=("stdbuf", "-oL", "zdb", "-SS", "tank"), output=SAID,
    )  # fmt: skip


def test_progress_is_what_the_object_sets_hold(bench: ZdbBench[DedupEstimate]) -> None:
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
        (Result(exit=0), b"Simulated DDT histogram:\n", "failed", CHANGED),
        (Result(exit=0), BEGUN + b"Simulated DDT histogram:\n", "empty", EMPTY),
        (Result(exit=0), WITHOUT_LAST, "failed", CHANGED),
    ],
)  # fmt: skip
def test_how_it_ends_is_said(
    bench: ZdbBench[DedupEstimate], result: Result, output: bytes, verdict: str, words: str
) -> None:
    bench.result, bench.output = result, output
    assert bench.run() == 0
    assert (bench.report().verdict, bench.report().words, bench.report().rows) == (verdict, words, ())


def test_it_stops_when_asked_and_for_a_resilver(bench: ZdbBench[DedupEstimate]) -> None:
    bench.stop.now = True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", STOPPED)
    bench.stop.now, bench.busy = False, True
    bench.run()
    assert (bench.report().verdict, bench.report().words) == ("stopped", RESILVERS)


def test_a_pool_that_is_gone_is_refused(
    bench: ZdbBench[DedupEstimate], capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.run("gone") == 3 and not bench.said_ready
    assert capsys.readouterr().err == "cannot open 'gone': dataset does not exist\n"
