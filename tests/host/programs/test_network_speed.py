"""The program that measures the network: to another machine, and as the other end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from host.base import Result
from host.commands.network_speed import MeasureNetworkSpeed
from host.measuring.pausing import STOPPED
from host.network_speed.measuring import LISTENS_S
from host.network_speed.values import NetworkSpeed
from host.programs.measuring.network import Around, main
from tests.host.programs.bench import Switch

SAID = Path(__file__).parents[2] / "transcripts" / "iperf3"


class Bench:
    """Runs it with an iperf3 whose output is given."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self.stop, self.said_ready = folder, Switch(), False
        self.addresses: tuple[str, ...] = ("192.168.1.20",)
        self.said = ["client", "client-reverse"]
        self.result = Result(exit=0)
        self.ran: list[tuple[str, ...]] = []
        self.seen: list[NetworkSpeed] = []
        self.clock = 0.0
        monkeypatch.setattr("time.monotonic", self._time)

    def _time(self) -> float:
        self.clock += 3.0  # so that each note is written
        return self.clock

    def _resolve(self, host: str) -> tuple[str, ...]:
        if host == "gone":
            raise OSError(-2, "Name or service not known")
        return self.addresses

    def _follow(
        self,
        argv: tuple[str, ...],
        *,
        environment: dict[str, str],
        line: Callable[[bytes], None],
        asked: Callable[[], bool],
        said: Callable[[bytes], None] | None = None,
    ) -> Result:
        assert argv[0] == "iperf3" and environment == {}
        self.ran.append(argv)
        for name in self.said if "--server" in argv else self.said[len(self.ran) - 1 : len(self.ran)]:
            for one in (SAID / f"{name}.json").read_bytes().splitlines():
                line(one)
            if asked():
                return Result(exit=1)
            self.seen.append(self.report())
        if "--server" in argv and self.result.exit == 0:
            self.clock += LISTENS_S
            assert asked()
        return self.result

    def run(self, *more: str) -> int:
        def ready() -> None:
            self.said_ready = True

        around = Around(resolve=self._resolve, follow=self._follow, stop=self.stop, say_ready=ready)
        return main(["--run", "0" * 16, "--port", "5201", "--reports", str(self._folder), *more], around)

    def report(self) -> NetworkSpeed:
        text = (self._folder / f"network-{'0' * 16}.json").read_bytes()
        return msgspec.json.decode(text, type=NetworkSpeed)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    return Bench(tmp_path, monkeypatch)


def test_both_directions_are_measured(bench: Bench) -> None:
    assert bench.run("--host", "pc.lan") == 0 and bench.said_ready
    assert [("--reverse" in argv, "--client=192.168.1.20" in argv) for argv in bench.ran] == [
        (False, True), (True, True),
    ]  # fmt: skip
    assert [one.phase for one in bench.seen] == ["sending", "receiving"]
    assert 0 < bench.seen[0].share < 0.5 < bench.seen[1].share < 1
    done = bench.report()
    assert (done.verdict, done.words, done.host) == ("done", "", "pc.lan")
    assert [one.direction for one in done.transfers] == ["sent", "received"]


def test_where_nobody_listens_it_is_said_what_to_do(bench: Bench) -> None:
    bench.said = ["refused"]
    assert bench.run("--host", "pc.lan") == 0
    assert bench.report().verdict == "failed"
    assert bench.report().words == (
        "iperf3 does not answer at pc.lan, port 5201 (unable to connect to server: Connection refused). "
        "Start it there first: iperf3 --server"
    )


def test_it_listens_until_its_time_is_over(bench: Bench) -> None:
    bench.said = ["server", "server"]
    assert bench.run() == 0
    assert bench.ran == [("iperf3", "--server", "--port=5201", "--json", "--forceflush")]
    assert [len(one.transfers) for one in bench.seen] == [1, 2] and bench.seen[0].phase == "listening"
    assert (bench.report().verdict, bench.report().words) == ("done", "")


def test_a_port_that_is_taken_is_said(bench: Bench) -> None:
    bench.said = []
    bench.result = Result(exit=1, stderr="iperf3: error - unable to start listener: Address already in use\n")
    bench.run()
    assert bench.report().words == (
        "iperf3 says: iperf3: error - unable to start listener: Address already in use"
    )


def test_it_stops_when_asked(bench: Bench) -> None:
    bench.stop.now = True
    bench.run("--host", "pc.lan")
    assert (bench.report().verdict, bench.report().words) == ("stopped", STOPPED)


@pytest.mark.parametrize(
    ("host", "addresses", "said"),
    [
        ("gone", (), "gone is not found: Name or service not known\n"),
        ("sly.lan", ("127.0.0.1",), "sly.lan leads to this machine itself, or to no single one.\n"),
        ("sly.lan", ("192.168.1.20", "169.254.169.254"),
         "sly.lan leads to this machine itself, or to no single one.\n"),
    ],
)  # fmt: skip
def test_what_leads_nowhere_is_refused(
    bench: Bench, host: str, addresses: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.addresses = addresses
    assert bench.run("--host", host) == 3 and not bench.said_ready and not bench.ran
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "-x", "169.254.169.254", "::1", "a b", ""])
def test_the_command_is_for_other_machines_alone(host: str) -> None:
    with pytest.raises((ValueError, msgspec.ValidationError)):
        msgspec.convert(
            {"type": "MeasureNetworkSpeed", "run": "0" * 16, "port": 5201, "host": host}, MeasureNetworkSpeed
        )
