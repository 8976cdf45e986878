"""SIGTERM, and the report that is written again and again."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from host.base import Result
from host.commands.base import Command
from host.commands.system.convert_program import SyncAll
from host.programs.boot_convert import repeating
from host.programs.boot_convert.repeating import repeated, until
from host.programs.boot_convert.stopping import Stop, Stopped


class Interrupted:
    """A host on which someone asks for the end while a command runs."""

    kind = "local"

    def __init__(self, stop: Stop | None = None) -> None:
        self.stop, self.ran = stop, 0

    def run(self, command: Command) -> Result:
        self.ran += 1
        if self.stop:
            self.stop.ask(signal.SIGTERM, None)
        return Result(exit=0)


def test_a_command_runs_where_nobody_asks() -> None:
    assert Stop().run(Interrupted(), SyncAll()) == Result(exit=0)


def test_a_signal_ends_the_command_that_runs_and_no_other_begins() -> None:
    stop = Stop()
    host = Interrupted(stop)
    for _ in range(2):
        with pytest.raises(Stopped):
            stop.run(host, SyncAll())
    assert host.ran == 1


def test_between_two_commands_a_signal_breaks_nothing_off() -> None:
    stop, host = Stop(), Interrupted()
    stop.ask()
    stop.ask()
    with pytest.raises(Stopped):
        stop.check()
    with pytest.raises(Stopped):
        stop.run(host, SyncAll())
    assert host.ran == 0


@pytest.fixture
def handler() -> Iterator[None]:
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_sigterm_is_heard_and_then_ignored(handler: None) -> None:
    stop = Stop()
    stop.listen()
    signal.raise_signal(signal.SIGTERM)
    with pytest.raises(Stopped):
        stop.check()
    # What is started from here on inherits that: systemd asks all of a unit's processes to end.
    stop.ignore()
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    signal.raise_signal(signal.SIGTERM)


def test_it_is_repeated_until_the_end_whatever_goes_wrong() -> None:
    waits: list[float] = []
    done: list[int] = []

    def ended(seconds: float) -> bool:
        waits.append(seconds)
        return len(waits) == 4

    def action() -> None:
        done.append(len(done))
        if len(done) == 2:
            raise OSError("No space left on device")

    until(ended, action)
    assert (waits, done) == ([10.0] * 4, [0, 1, 2])


def test_it_goes_on_beside_the_work_and_hears_no_signals(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Any] = []
    begun = threading.Event()

    def loop(ended: Any, action: Any) -> None:
        seen.append((threading.current_thread(), signal.pthread_sigmask(signal.SIG_BLOCK, ())))
        action()
        begun.set()
        ended(60.0)

    monkeypatch.setattr(repeating, "until", loop)
    with pytest.raises(KeyError), repeated(lambda: seen.append("done")):
        assert begun.wait(60)
        raise KeyError
    thread, blocked = seen[0]
    assert not thread.is_alive()
    assert signal.SIGTERM in blocked
    assert signal.SIGTERM not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert seen[1:] == ["done"]
