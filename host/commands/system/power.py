"""Restarts the machine, or turns it off, a few seconds later: whoever asked hears that it was ordered.

Both are one transient timer of one name, so that systemd itself refuses the second of two. It is systemd's
own from then on: it fires whether or not the console still runs. `systemctl stop nasweb-power.timer`, or
`CancelPower`, takes it back until then.
"""

from __future__ import annotations

from typing import Literal

from host.commands.base import Command
from host.commands.system.converting import UNIT as CONVERTING
from host.families import NOTHING

NAME = "nasweb-power"
TIMER = f"{NAME}.timer"
DELAY_S = 10  # for the job to end as succeeded, and for the browser to show what comes now
_NOT_LOADED = 5  # LSB: there is no such unit
PowerOrder = Literal["restart", "shut down"]
DESCRIPTIONS: dict[PowerOrder, str] = {
    "restart": "Nasweb: restart the machine",
    "shut down": "Nasweb: shut the machine down",
}


class _Order(Command, frozen=True, kw_only=True):
    """The timer. It needs nothing from whoever asks."""

    touches = NOTHING
    timeout_s = 30.0

    def not_beside(self) -> tuple[str, ...]:
        # The half that is copied to would not start, and the boot loader may be half written.
        return (CONVERTING,)

    def _argv(self, order: PowerOrder, verb: Literal["reboot", "poweroff"]) -> tuple[str, ...]:
        return (
            "systemd-run", f"--unit={NAME}", f"--description={DESCRIPTIONS[order]}", "--collect",
            f"--on-active={DELAY_S}s", "--timer-property=AccuracySec=100ms", "systemctl", verb,
        )  # fmt: skip


class RestartSoon(_Order, frozen=True, kw_only=True):
    """Restart the machine in `DELAY_S` seconds."""

    def argv(self) -> tuple[str, ...]:
        return self._argv("restart", "reboot")


class PowerOffSoon(_Order, frozen=True, kw_only=True):
    """Turn the machine off in `DELAY_S` seconds."""

    def argv(self) -> tuple[str, ...]:
        return self._argv("shut down", "poweroff")


class CancelPower(Command, frozen=True, kw_only=True):
    """Take the order back; no failure where there is none."""

    touches = NOTHING
    good_exits = (0, _NOT_LOADED)

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "stop", TIMER)


class PowerOrdered(Command, frozen=True, kw_only=True):
    """The timer and what it starts, as JSON; an empty list while nothing is ordered."""

    reads = True
    timeout_s = 20.0

    def argv(self) -> tuple[str, ...]:
        return ("systemctl", "list-units", "--all", "--output=json", TIMER, f"{NAME}.service")


Commands = RestartSoon | PowerOffSoon | CancelPower | PowerOrdered
