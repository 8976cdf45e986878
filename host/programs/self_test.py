"""The disk's own long self-test: started, followed, and read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from host.base import Host, HostError
from host.commands.disks.smart import SelfTestKind, SmartTest
from host.inventory import Disk, SelfTest, SmartReading
from host.inventory.smart import Bridge
from host.probe.disks.smart import read_smart
from host.programs.burn_in_verdict import Judgement

_FIRST_POLL_S, _POLL_S = 5.0, 60.0  # each reading delays the test a little
_USUAL_MINUTES = 12 * 60  # for disks that do not say how long theirs takes
_TIMEOUT_FACTOR = 3  # of the time that the disk says the test takes


class Stopped(Exception):
    """Someone asked the burn-in to end."""


class Smart(Protocol):
    """SMART commands of one disk."""

    def read(self) -> SmartReading | None:
        """A reading; None when there is none."""

    def start(self) -> bool:
        """Begin the long self-test; False where the disk does not."""

    def abort(self) -> None:
        """Break it off."""


class DiskSmart:
    """SMART of a disk of this machine."""

    def __init__(self, host: Host, disk: Disk) -> None:
        self._host, self._disk = host, disk
        self._bridges: tuple[Bridge, ...] = ("auto", "sat") if disk.transport == "usb" else ("auto",)

    def read(self) -> SmartReading | None:
        """A reading; None when the machine could not be asked."""
        try:
            return read_smart(self._host, self._disk)
        except HostError:
            return None

    def start(self) -> bool:
        """Begin the long self-test; False where the disk has none, or runs another."""
        return any(self._test("long", bridge) for bridge in self._bridges)

    def abort(self) -> None:
        """Break off what runs."""
        for bridge in self._bridges:
            if self._test("abort", bridge):
                return

    def _test(self, kind: SelfTestKind, bridge: Bridge) -> bool:
        try:
            self._host.run(SmartTest(disk=self._disk.link, kind=kind, bridge=bridge))
        except HostError:
            return False
        return True


def self_test(
    smart: Smart,
    before: SmartReading | None,
    *,
    clock: Callable[[], float],
    wait: Callable[[float], bool],
    progress: Callable[[float], None],
) -> Judgement:
    """Run it to its end; `progress` gets percent. Aborts it and raises `Stopped` when `wait` returns True."""
    running = before is not None and before.testing
    if not running and ((before is not None and before.supported is False) or not smart.start()):
        return Judgement((), ("The disk has no self-test that could be started.",))
    minutes = before.long_test_minutes if before and before.long_test_minutes else _USUAL_MINUTES
    deadline = clock() + (minutes * _TIMEOUT_FACTOR + 60) * 60
    pause = _FIRST_POLL_S
    while clock() < deadline:
        if wait(pause):
            smart.abort()
            raise Stopped
        pause = _POLL_S
        reading = smart.read()
        if reading is None:
            continue
        if not reading.testing:
            return _outcome(before, reading)
        if reading.test_remaining_percent is not None:
            progress(100.0 - reading.test_remaining_percent)
    smart.abort()
    return Judgement((), (f"The disk's self-test was broken off: it should take {minutes} minutes.",))


def _outcome(before: SmartReading | None, after: SmartReading) -> Judgement:
    test = _newest(before, after)
    if test is None:
        return Judgement((), ("The disk does not report how its self-test ended.",))
    if test.result == "failed":
        where = "" if test.first_error_lba is None else f" at sector {test.first_error_lba}"
        return Judgement((f"The disk's own self-test failed{where}: {test.words}.",), ())
    if test.result == "passed":
        return Judgement((), ())
    return Judgement((), (f"The disk's self-test came to no end: {test.words}.",))


def _newest(before: SmartReading | None, after: SmartReading) -> SelfTest | None:
    """The entry that was not in the log before; a running one turns into its result."""
    known = tuple(test for test in before.tests if test.result != "running") if before else ()
    return after.tests[0] if after.tests and after.tests != known else None
