"""The program that measures a pool: its dataset, its progress, and how it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from host.base import CommandFailed, Result
from host.benchmark.running import RESILVERS, Device
from host.benchmark.values import Benchmark
from host.commands.base import Command
from host.commands.pools.benchmark import CreateBenchmarkDataset, RemoveBenchmarkDataset
from host.measuring.pausing import STOPPED
from host.programs.measuring.benchmark import Machine, main
from tests.host.programs.bench import Switch

FIO = Path(__file__).parents[2] / "transcripts" / "fio"
LINK = "/dev/disk/by-id/ata-WDC_1-part1"
READ = (FIO / "mixed.json").read_bytes()


class Zfs:
    """Has the dataset or not."""

    kind = "real"

    def __init__(self) -> None:
        self.did: list[str] = []
        self.refuses = ""
        self.keeps: dict[int, str] = {}  # why it destroys nothing, by which time it is asked

    def run(self, command: Command) -> Result:
        self.did.append(type(command).__name__)
        if isinstance(command, RemoveBenchmarkDataset):
            assert command.argv()[-1] == "tank/.nasweb-benchmark"
            if why := self.keeps.get(self.did.count("RemoveBenchmarkDataset")):
                raise CommandFailed(command, Result(exit=1, stderr=why))
            return Result(exit=0)
        assert isinstance(command, CreateBenchmarkDataset)
        assert "nasweb:benchmark=on" in command.argv()  # from its first moment on
        if self.refuses:
            raise CommandFailed(command, Result(exit=1, stderr=self.refuses))
        return Result(exit=0)


class Files:
    def read(self, path: str) -> str:
        return "cpu 1 0 0 9 0 0 0 0\n" if path == "/proc/stat" else ""

    def names(self, folder: str) -> list[str]:
        raise AssertionError(folder)


class Bench:
    """Runs it with a fio whose output is given, and keeps what was reported meanwhile."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self.zfs, self.stop, self.busy, self.said_ready = folder, Zfs(), Switch(), False, False
        self.result = Result(exit=0)
        self.output = (FIO / "write.json").read_bytes()
        self.ran: list[tuple[str, ...]] = []
        self.seen: list[Benchmark] = []
        self._clock = 0.0
        monkeypatch.setattr("time.monotonic", self._time)

    def _time(self) -> float:
        self._clock += 3.0  # so that each note is written
        return self._clock

    @contextmanager
    def _shown(self, dataset: str, at: Path) -> Iterator[None]:
        assert (dataset, self.zfs.did[-1]) == ("tank/.nasweb-benchmark", "CreateBenchmarkDataset")
        at.mkdir()
        yield

    def _follow(
        self,
        argv: tuple[str, ...],
        *,
        environment: dict[str, str],
        line: Callable[[bytes], None],
        asked: Callable[[], bool],
        said: Callable[[bytes], None] | None = None,
    ) -> Result:
        assert argv[0] == "fio" and environment == {}
        self.ran.append(argv)
        if asked():
            return Result(exit=128)
        self.seen.append(self.report())
        for one in (READ if "--readonly" in argv else self.output).splitlines():
            line(one)
        return self.result

    def run(self, *more: str, profile: str = "sequential") -> int:
        def ready() -> None:
            self.said_ready = True

        machine = Machine(
            host=self.zfs, shown=self._shown, device=lambda link: Device(f"/dev/{link[-5:]}", 1000 << 20),
            files=Files(), follow=self._follow, stop=self.stop, say_ready=ready,
            busy=lambda _pool: self.busy,
        )  # fmt: skip
        asked = ("--run", "0" * 16, "--pool", "tank", "--profile", profile, "--reports", str(self._folder))
        kept = ("--record", "131072", "--compression", "lz4", "--clients", "4", "--size", str(64 << 20))
        return main([*asked, *kept, *more], machine)

    def report(self) -> Benchmark:
        text = (self._folder / f"benchmark-{'0' * 16}.json").read_bytes()
        return msgspec.json.decode(text, type=Benchmark)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_disks_are_read_and_parts_measured_and_nothing_is_left(bench: Bench) -> None:
    assert bench.run("--disk", LINK) == 0 and bench.said_ready
    assert bench.zfs.did == [
        "RemoveBenchmarkDataset", "CreateBenchmarkDataset", "RemoveBenchmarkDataset",
    ]  # fmt: skip
    offsets = [word for argv in bench.ran for word in argv if word.startswith("--offset")]
    assert offsets == ["--offset=0", f"--offset={500 << 20}", f"--offset={950 << 20}"]
    assert "--filename=/dev/part1" in bench.ran[0]
    assert [(one.phase, one.doing) for one in bench.seen] == [
        *[("disks", LINK)] * 3, ("files", "write"), ("files", "read"),
    ]  # fmt: skip
    shares = [one.share for one in bench.seen]
    assert shares == sorted(shares) and 0 < shares[0] < shares[-1] < 1
    assert all(one.left_s is not None and one.left_s > 0 for one in bench.seen)
    done = bench.report()
    assert (done.verdict, done.words, done.phase, done.doing) == ("done", "", "done", "")
    assert done.disks[0].bytes_per_s == (541_787_610.0,) * 3
    assert [(one.part, one.kind, one.bytes_per_s) for one in done.parts] == [
        ("write", "write", 932_067_555.0), ("read", "write", 932_067_555.0),
    ]  # fmt: skip
    assert done.parts[0].command == bench.ran[3]


def test_the_time_left_follows_from_what_was_measured(bench: Bench) -> None:
    bench.run()
    # 64 MiB at 100 MB/s, which is guessed, and then at the 932 MB/s that were measured.
    assert bench.seen[0].left_s == pytest.approx(2 * (64 << 20) / 100e6, rel=0.9)
    assert bench.seen[1].left_s is not None and bench.seen[0].left_s is not None
    assert bench.seen[1].left_s < bench.seen[0].left_s / 4


def test_it_stops_when_asked_and_for_a_resilver(bench: Bench) -> None:
    bench.stop.now = True
    bench.run("--disk", LINK)
    assert (bench.report().verdict, bench.report().words) == ("stopped", STOPPED)
    assert bench.zfs.did[-1] == "RemoveBenchmarkDataset" and len(bench.ran) == 1
    bench.stop.now, bench.busy = False, True
    bench.run("--disk", LINK, "--disk", LINK.replace("_1", "_2"))
    assert (bench.report().verdict, bench.report().words) == ("stopped", RESILVERS)
    assert bench.zfs.did[-1] == "RemoveBenchmarkDataset"


@pytest.mark.parametrize(
    ("result", "output", "words"),
    [
        (Result(exit=1, stderr="fio: io_u error on file x: No space left on device\n"), b"",
         "fio says: fio: io_u error on file x: No space left on device"),
        (Result(exit=1), b"fio: pid=1155, err=1/file:backend.c:1884, func=nice, error=Not permitted\n{\n",
         "fio says: fio: pid=1155, err=1/file:backend.c:1884, func=nice, error=Not permitted"),
        (Result(exit=127, stderr="fio: command not found\n"), b"", "fio says: fio: command not found"),
        (Result(exit=0), b"nothing", "fio gave no figures. It says: nothing"),
    ],
)  # fmt: skip
def test_what_fio_cannot_do_is_said(bench: Bench, result: Result, output: bytes, words: str) -> None:
    bench.result, bench.output = result, output
    assert bench.run() == 0
    assert (bench.report().verdict, bench.report().words) == ("failed", words)
    assert bench.zfs.did[-1] == "RemoveBenchmarkDataset"


def test_a_dataset_that_cannot_be_made_is_refused(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.zfs.refuses = "cannot create 'tank/.nasweb-benchmark': out of space\nmore\n"
    assert bench.run() == 3 and not bench.said_ready and not bench.ran
    assert capsys.readouterr().err == "cannot create 'tank/.nasweb-benchmark': out of space\n"


def test_what_no_benchmark_made_is_in_the_way(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    bench.zfs.keeps[1] = "nasweb: it was made by no benchmark\n"
    assert bench.run() == 3 and not bench.said_ready
    assert bench.zfs.did == ["RemoveBenchmarkDataset"]
    assert capsys.readouterr().err == "nasweb: it was made by no benchmark\n"


BUSY = "cannot destroy 'tank/.nasweb-benchmark': dataset is busy\n"
LEFT = "tank/.nasweb-benchmark is still there: cannot destroy 'tank/.nasweb-benchmark': dataset is busy"


def test_a_dataset_that_cannot_be_destroyed_is_said_with_what_was_measured(bench: Bench) -> None:
    bench.zfs.keeps[2] = BUSY
    assert bench.run() == 0
    done = bench.report()
    assert (done.verdict, done.words, done.phase, len(done.parts)) == ("failed", LEFT, "done", 2)
    bench.result, bench.output = Result(exit=1, stderr="fio: no space\n"), b""
    bench.zfs.keeps = {4: BUSY}
    assert bench.run() == 0
    assert bench.report().words == f"fio says: fio: no space. {LEFT}"
