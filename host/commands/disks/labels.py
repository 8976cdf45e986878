"""What ZFS labels on a device say."""

from __future__ import annotations

from host.commands.base import Command, DiskLink


class ZdbLabel(Command, frozen=True, kw_only=True):
    """The ZFS label of one device. Status 1 or 2: there is none that can be read.

    It reads the disk itself, and so may wake it: ask only what is not known yet.
    """

    reads = True
    good_exits = (0, 1, 2)
    device: DiskLink

    def argv(self) -> tuple[str, ...]:
        return ("zdb", "-l", self.device)


Commands = ZdbLabel
