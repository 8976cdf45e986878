"""A machine that starts from two flash drives, and what its console says of them."""

from __future__ import annotations

from typing import Any

from tests.lab.console import Console
from tests.lab.disks import usb
from tests.lab.machine import Machine
from tests.lab.new_machine import STICK, wait_until_up
from tests.lab.pool_life import until

FIRST, SECOND, THIRD = (usb(number, size_bytes=STICK) for number in (1, 2, 3))


class Pair:
    """A machine that starts from its sticks, and its console."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.console = Console(machine)
        self.console.fresh()

    def boot(self) -> dict[str, Any]:
        """What the console says of the pair now."""
        self.console.fresh()
        found: dict[str, Any] = self.console.get("boot/")
        return found

    def stick(self, serial: str) -> str:
        """The id of a disk, a stick or another."""
        disks = self.console.get("disks/")["results"]
        return str(next(disk["id"] for disk in disks if disk["serial"] == serial))

    def serials(self, state: str = "whole") -> set[str]:
        """The serials of the halves in that state."""
        return {half["serial"] for half in self.boot()["halves"] if half["state"] == state}

    def wait_until_whole(self, *serials: str) -> float:
        """Seconds until these halves hold everything."""
        return until(lambda: self.serials() == set(serials), limit_s=1800, every_s=5)[0]

    def restart(self, *sticks: str) -> None:
        """Turn the machine off, and on again with these sticks alone."""
        self.machine.shutdown()
        for disk in ("usb1", "usb2", "usb3"):
            if disk in self.machine.disks:
                self.machine.pull_disk(disk)
        for disk in sticks:
            self.machine.insert_disk(disk)
        self.machine.boot()
        wait_until_up(self.machine)
        self.console.fresh()

    def alert(self, serial: str) -> dict[str, Any] | None:
        """The open alert whose title names a stick."""
        alerts = self.console.get("alerts/")["results"]
        return next((one for one in alerts if serial in one["title"] and one["closed_at"] is None), None)
