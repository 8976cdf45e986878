"""The disk's own test, followed by a clock that does not wait."""

from __future__ import annotations

import pytest

from host.base import CommandFailed, Host, Result
from host.commands.base import Command
from host.commands.disks.smart import SmartRead, SmartTest
from host.inventory import SmartReading
from host.probe.whole import probe
from host.programs.burn_in_verdict import Judgement
from host.programs.self_test import DiskSmart, Stopped, self_test
from host.simulated import SimulatedHost
from tests.host.programs.bench import Smart, Stopping, clock, entry, reading

OLD = entry("passed", at_hours=12)
BEFORE = reading(tests=(OLD,), long_test_minutes=2)


def run(
    smart: Smart, before: SmartReading | None = BEFORE, *, at: int | None = None, step: float = 1.0
) -> tuple[Judgement, list[float]]:
    report: list[float] = []
    waiting = Stopping(at=at)
    return self_test(smart, before, clock=clock(step), wait=waiting.wait, progress=report.append), report


def test_it_is_followed_to_its_end() -> None:
    smart = Smart(
        reading(test_remaining_percent=90),
        None,
        reading(test_remaining_percent=10),
        reading(tests=(entry("passed", at_hours=13), OLD)),
    )
    assert run(smart) == (Judgement((), ()), [10.0, 90.0])
    assert (smart.started, smart.aborted) == (1, 0)


def test_one_that_runs_already_is_followed() -> None:
    running = reading(test_remaining_percent=50, tests=(OLD,))
    smart = Smart(reading(tests=(entry("passed", at_hours=13), OLD)))
    assert run(smart, running) == (Judgement((), ()), [])
    assert smart.started == 0


def test_one_whose_end_is_in_no_log_says_nothing_of_the_disk() -> None:
    judged, _ = run(Smart(BEFORE))
    assert judged == Judgement((), ("The disk does not report how its self-test ended.",))


@pytest.mark.parametrize(
    ("result", "faults", "remarks"),
    [
        ("failed", ("The disk's own self-test failed: it failed.",), ()),
        ("aborted", (), ("The disk's self-test came to no end: it aborted.",)),
        ("unknown", (), ("The disk's self-test came to no end: it unknown.",)),
    ],
)
def test_its_result_is_reported(result: str, faults: tuple[str, ...], remarks: tuple[str, ...]) -> None:
    judged, _ = run(Smart(reading(tests=(entry(result), OLD))))
    assert judged == Judgement(faults, remarks)


def test_a_disk_without_smart_is_not_asked_to() -> None:
    smart = Smart()
    judged, _ = run(smart, reading(supported=False))
    assert judged.remarks == ("The disk has no self-test that could be started.",)
    assert smart.started == 0


def test_one_that_never_ends_is_broken_off() -> None:
    smart = Smart(*[reading(test_remaining_percent=90)] * 100)
    judged, _ = run(smart, step=120.0)
    assert judged.remarks == ("The disk's self-test was broken off: it should take 2 minutes.",)
    assert smart.aborted == 1


def test_to_stop_is_to_abort_it() -> None:
    smart = Smart(reading(test_remaining_percent=90))
    with pytest.raises(Stopped):
        run(smart, at=2)
    assert smart.aborted == 1


class Refusing:
    """A host whose disk answers to self-tests only through one bridge."""

    kind = "local"

    def __init__(self, bridge: str | None) -> None:
        self.bridge, self.asked = bridge, list[str]()

    def run(self, command: Command) -> Result:
        if isinstance(command, SmartRead):
            raise CommandFailed(command, Result(exit=127))
        assert isinstance(command, SmartTest)
        self.asked.append(f"{command.kind} {command.bridge}")
        if command.bridge != self.bridge:
            raise CommandFailed(command, Result(exit=4))
        return Result(exit=0)


def smart_of(host: Host, machine: SimulatedHost, transport: str) -> DiskSmart:
    return DiskSmart(host, next(disk for disk in probe(machine).disks if disk.transport == transport))


@pytest.mark.parametrize(
    ("transport", "bridge", "starts", "asked"),
    [
        ("sata", "auto", True, ["long auto"]),
        ("sata", None, False, ["long auto"]),
        ("usb", "sat", True, ["long auto", "long sat"]),
    ],
)
def test_a_bridge_is_asked_both_ways(
    tmp_path_factory: pytest.TempPathFactory,
    transport: str,
    bridge: str | None,
    starts: bool,
    asked: list[str],
) -> None:
    host = Refusing(bridge)
    smart = smart_of(host, SimulatedHost(tmp_path_factory.mktemp("machine") / "m.json", "home"), transport)
    assert smart.start() is starts
    assert host.asked == asked
    assert smart.read() is None
    smart.abort()
    assert host.asked[len(asked) :] == [words.replace("long", "abort") for words in asked]
