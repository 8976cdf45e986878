"""Commands of smartctl(8)."""

from __future__ import annotations

from typing import Literal

from host.commands.base import Command, DiskLink
from host.inventory.smart import Bridge

SelfTestKind = Literal["short", "long", "abort"]
_NOT_INSTALLED = 127
_NO_SUCCESS = 0b111  # bits of the exit status: wrong usage, not opened, a command to the disk failed


def _bridge(bridge: Bridge) -> tuple[str, ...]:
    return () if bridge == "auto" else ("-d", bridge)


class SmartRead(Command, frozen=True, kw_only=True):
    """Everything that a disk says of itself, as JSON. A disk in standby is left alone.

    The exit status is a bit mask in which even 1 and 2 come with an answer in JSON that says why.
    """

    reads = True
    good_exits = tuple(status for status in range(256) if status != _NOT_INSTALLED)
    disk: DiskLink
    bridge: Bridge = "auto"

    def argv(self) -> tuple[str, ...]:
        return ("smartctl", "-j", "-x", "-n", "standby", *_bridge(self.bridge), self.disk)


class SmartTest(Command, frozen=True, kw_only=True):
    """Start a self-test inside the disk, which goes on working meanwhile, or abort the one that runs.

    The higher bits of the exit status are findings about the disk and no failure of the command.
    """

    good_exits = tuple(status for status in range(256) if not status & _NO_SUCCESS)
    disk: DiskLink
    kind: SelfTestKind
    bridge: Bridge = "auto"

    def argv(self) -> tuple[str, ...]:
        words = ("-X",) if self.kind == "abort" else ("-t", self.kind)
        return ("smartctl", *words, *_bridge(self.bridge), self.disk)


Commands = SmartRead | SmartTest
