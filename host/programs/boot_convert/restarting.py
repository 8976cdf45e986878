"""The restart from the copy: what writes is stopped before, and GRUB starts the copy once."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from host import typed
from host.base import CommandFailed, Result
from host.commands.base import Command
from host.commands.system.convert_program import (
    GRUBENV,
    ActiveTimers,
    ChooseNextStart,
    HaltUnit,
    MakeGrubenv,
    RestartMachine,
    SyncAll,
    UnitIsActive,
)
from host.programs.boot_convert.failing import Failed, said
from host.programs.boot_convert.probing import Setup
from host.programs.boot_convert.stopping import Stop
from host.programs.boot_convert.system import System, read, replace
from host.programs.boot_convert.texts import ENTRY, kernel_words, with_entry

# The console's among them; this program is in a unit of its own, and goes on.
WRITERS = (
    "nasweb-worker.service", "nasweb.target", "smbd.service", "nmbd.service", "winbind.service",
    "samba-ad-dc.service", "nfs-server.service", "cron.service", "anacron.service",
    "unattended-upgrades.service",
)  # fmt: skip


class _Unit(msgspec.Struct, frozen=True):
    unit: str


_units = msgspec.json.Decoder(tuple[_Unit, ...])


class Restarting:
    """`halted` are the units to be started again; `chosen` once the next start may be the copy's."""

    def __init__(self, system: System, setup: Setup, stop: Stop, run: Callable[[Command], Result]) -> None:
        self._system, self._setup, self._stop, self._run = system, setup, stop, run
        self.halted: tuple[str, ...] = ()
        self.chosen = False

    def stop_writers(self) -> None:
        """Timers first: they would start more. Raises `HostError`, `msgspec.DecodeError`."""
        timers = typed.decode_by(_units, self._run(ActiveTimers()).stdout or "[]")
        for unit in (*(one.unit for one in timers), *WRITERS):
            if self._run(UnitIsActive(unit=unit)).exit == 0:
                self.halted = (*self.halted, unit)
                self._run(HaltUnit(unit=unit))

    def start_once(self) -> None:
        """An entry of the old GRUB's menu starts the copy, chosen for one start.

        Raises `Failed`, `HostError`, `OSError`, and `Stopped` until the restart is ordered.
        """
        system, setup = self._system, self._setup
        words = kernel_words(read(system.path("/proc/cmdline")))
        replace(system.custom, with_entry(read(system.custom), setup.file_system, system.kernel, words))
        if not system.path(GRUBENV).exists():
            self._run(MakeGrubenv())
        # From here on the machine goes down, and asks this program to end; and what it started, too.
        self._stop.ignore()
        self._stop.check()  # of before
        self.chosen = True
        self._run(ChooseNextStart(entry=ENTRY))
        self._run(SyncAll())
        try:
            self._run(RestartMachine())
        except CommandFailed as error:
            raise Failed(f"The machine does not restart: {said(error)}") from None
        self.halted = ()
