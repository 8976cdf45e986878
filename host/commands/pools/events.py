"""What zed reported of the pools."""

from __future__ import annotations

from host.commands.base import Command
from host.zed import EVENTS, MOST_LINES


class ZedEvents(Command, frozen=True, kw_only=True):
    """The events of pools since the start of the machine, a line for those that belong together: values
    parted by tabs (`host.zed.COLUMNS`), oldest first.

    tail ends with 1 where nothing was reported yet. It reads no disk.
    """

    reads = True
    good_exits = (0, 1)

    def argv(self) -> tuple[str, ...]:
        return ("tail", f"--lines={MOST_LINES}", EVENTS)


Commands = ZedEvents
