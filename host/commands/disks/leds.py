"""Commands of ledctl(8): lights of PCIe bays, which are in no enclosure of sysfs.

Of the controllers that ledctl knows, those of type NPEM and VMD report their slots, and which disk has one.
SCSI ones are the enclosures of sysfs again; an AHCI one takes messages whether a light listens or not: ledctl
lists no slots of it, and it is left alone here.
"""

from __future__ import annotations

from typing import Literal

from host.commands.base import Command, DiskLink

Controller = Literal["NPEM", "VMD"]


class LedSlots(Command, frozen=True, kw_only=True):
    """The slots of all controllers of a type, a line each, with what their light shows and their device.

    Any status is an answer: without ledctl (127), without such a controller, or in a version that lists none
    of that type, there is nothing to light.
    """

    reads = True
    timeout_s = 20.0
    good_exits = tuple(range(256))
    controller: Controller

    def argv(self) -> tuple[str, ...]:
        return ("ledctl", "--list-slots", f"--controller-type={self.controller}")


class LedLight(Command, frozen=True, kw_only=True):
    """Switch the locate light of the slot that a disk sits in, and no other light."""

    disk: DiskLink
    on: bool

    def argv(self) -> tuple[str, ...]:
        return ("ledctl", "--listed-only", f"{'locate' if self.on else 'locate_off'}={self.disk}")


Commands = LedSlots | LedLight
