"""The whole run, however it ends."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress

import msgspec

from host.base import Host, HostError, Result
from host.commands.base import Command
from host.commands.system.convert_program import ForgetNextStart, ResumeUnits, UnmountAll
from host.inventory.conversion import ConversionState
from host.local import LocalHost
from host.programs import boot_convert
from host.programs.boot_convert.copying import Copying
from host.programs.boot_convert.failing import Failed, Refused, reason
from host.programs.boot_convert.probing import Setup, What, probe
from host.programs.boot_convert.report import Report
from host.programs.boot_convert.restarting import Restarting
from host.programs.boot_convert.stopping import Stop, Stopped
from host.programs.boot_convert.system import System

REFUSED = 3
STOPPED = "It was stopped. The system runs as before."
_DOING: dict[What, ConversionState] = {"copy": "copying", "restart": "restarting"}


class Run:
    """A copy, and with `restart` the start from it."""

    def __init__(self, system: System, setup: Setup, host: Host, stop: Stop) -> None:
        self._system, self._host, self._stop = system, host, stop
        self._report = Report(system, setup)
        self._copying = Copying(system, setup, self._report, self._run)
        self._restarting = Restarting(system, setup, stop, self._run)

    def carry_out(self, what: What) -> int:
        """The exit status. What is unforeseen is reported, and raised."""
        failed = True
        try:
            self._work(what)
            failed = False
            return 0
        except Stopped:
            failed = False
            self._report.write("stopped", STOPPED)
            return 0
        except (Failed, HostError, OSError) as error:
            self._report.write("failed", reason(error))
            return 1
        except Exception as error:
            self._report.write("failed", f"The program itself broke: {reason(error)}")
            raise
        finally:
            self._leave(failed=failed)

    def _work(self, what: What) -> None:
        state = _DOING[what]
        self._report.write(state)
        self._system.ready()
        if what == "copy":
            self._copying.copy(state)
            self._report.write("copied")
            return
        self._restarting.stop_writers()
        self._copying.copy(state)
        self._restarting.start_once()

    def _run(self, command: Command) -> Result:
        return self._stop.run(self._host, command)

    def _leave(self, *, failed: bool) -> None:
        """Nothing stays mounted or stopped, and no old copy waits for whenever the machine starts next."""
        self._stop.ignore()
        self._try(UnmountAll(target=str(self._system.new), lazy=True))
        self._try(UnmountAll(target=str(self._system.old), lazy=True))
        if failed and self._restarting.chosen:
            self._try(ForgetNextStart())
        if self._restarting.halted:
            self._try(ResumeUnits(units=self._restarting.halted))

    def _try(self, command: Command) -> None:
        with suppress(HostError):
            self._host.run(command)


def main(
    arguments: list[str] | None = None,
    *,
    host: Host | None = None,
    system: System | None = None,
    stop: Stop | None = None,
) -> int:
    """The exit status: 0 also where it was stopped, 1 where it failed, 3 where it refused."""
    asked = _parser().parse_args(arguments)
    machine, system, stop = host or LocalHost(), system or System(), stop or Stop()
    try:
        setup = probe(system, machine, asked.what, asked.array, asked.disk)
    except (Refused, HostError, OSError, msgspec.DecodeError) as error:
        sys.stderr.write(f"{reason(error)}\n")
        return REFUSED
    system.new.parent.mkdir(parents=True, exist_ok=True)
    system.notes.mkdir(parents=True, exist_ok=True)
    stop.listen()
    return Run(system, setup, machine, stop).carry_out(asked.what)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m host.programs.boot_convert", description=boot_convert.__doc__
    )
    parser.add_argument("what", choices=("copy", "restart"))
    parser.add_argument("array", help="its link under /dev/disk/by-id")
    parser.add_argument("disk", help="that it is on, by its link there")
    return parser
