"""Commands that read enclosures from sysfs, and switch the light of a slot."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from host.commands.base import Command

# Names that the kernel makes of addresses; those of slots come from the vendor and hold nearly anything.
_KERNEL_NAME = r"(?!\.{1,2}/)[A-Za-z0-9_.:\-]+"
_ENCLOSURE = rf"/sys/devices/(?:{_KERNEL_NAME}/)+enclosure/\d+:\d+:\d+:\d+"
_SLOT_NAME = r"(?!\.{1,2}\Z)[^/\x00-\x1f\x7f]+"

EnclosurePath = Annotated[str, Meta(pattern=rf"\A{_ENCLOSURE}\Z", max_length=1023)]
SlotPath = Annotated[str, Meta(pattern=rf"\A{_ENCLOSURE}/{_SLOT_NAME}\Z", max_length=1023)]
_Paths = Annotated[tuple[EnclosurePath, ...], Meta(min_length=1, max_length=64)]


class ListEnclosures(Command, frozen=True, kw_only=True):
    """Where each link in /sys/class/enclosure leads, one a line. Status 1: there is no such folder."""

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        once = ("-mindepth", "1", "-maxdepth", "1")
        return ("find", "/sys/class/enclosure", *once, "-type", "l", "-printf", r"%l\n")


class EnclosureFiles(Command, frozen=True, kw_only=True):
    """The enclosures' `id` and what is in the files of their slots: a path, NUL and the text on each line.

    grep follows no links below its arguments. It ends with 2 where a file cannot be read, as happens when an
    enclosure does not answer.
    """

    reads = True
    good_exits = (0, 1, 2)
    paths: _Paths

    def argv(self) -> tuple[str, ...]:
        wanted = tuple(f"--include={name}" for name in ("id", "type", "slot", "locate", "fault"))
        return ("grep", "-r", "--no-messages", "--text", "--null", *wanted, "--regexp=", *self.paths)


class EnclosureDevices(Command, frozen=True, kw_only=True):
    """The `device` link of each slot: path, target and the target's type (N: gone), each ending in NUL."""

    reads = True
    good_exits = (0, 1)
    paths: _Paths

    def argv(self) -> tuple[str, ...]:
        within = ("-mindepth", "2", "-maxdepth", "2")
        return ("find", *self.paths, *within, "-type", "l", "-name", "device", "-printf", r"%p\0%l\0%Y\0")


class SlotLight(Command, frozen=True, kw_only=True):
    """Switch a slot's locate light. `path` is the slot's folder."""

    path: SlotPath
    on: bool

    def argv(self) -> tuple[str, ...]:
        return ("tee", f"{self.path}/locate")

    def input(self) -> str:
        return "1\n" if self.on else "0\n"


Commands = ListEnclosures | EnclosureFiles | EnclosureDevices | SlotLight
