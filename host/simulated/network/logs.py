"""How a simulated machine sends its journal elsewhere: the file, and whether the service runs."""

from __future__ import annotations

from host.base import Result
from host.commands.logs import (
    CheckLogForwarding,
    CheckLogTarget,
    PlaceLogAuthority,
    PlaceLogTarget,
    RemoveLogAuthority,
    RemoveLogTarget,
    RestartLogForwarding,
    StageLogAuthority,
    StageLogTarget,
)
from host.contents.logs import AUTHORITY, FILE
from host.simulated.handlers import always, on
from host.simulated.network.changes import move
from host.simulated.refusal import Refusal
from host.simulated.state import Machine

_INACTIVE = 3  # systemctl(1), "Exit status"


def _stage(machine: Machine, command: StageLogTarget | StageLogAuthority) -> str:
    machine.files[command.argv()[1]] = command.input()
    return command.input()


def _check(machine: Machine) -> Result:
    staged = f"{FILE}.next"
    version = "rsyslogd: version 8.2504.0, config validation run (level 1)"
    if staged not in machine.files:
        raise Refusal(f"rsyslogd: could not open config file '{staged}': No such file or directory\n")
    said = f"{version}, master config {staged}\nrsyslogd: End of config validation run. Bye.\n"
    return Result(exit=0, stdout="", stderr=said)


def _place_authority(machine: Machine) -> None:
    move(machine, f"{AUTHORITY}.next", AUTHORITY)


def _place_target(machine: Machine) -> None:
    move(machine, f"{FILE}.next", FILE)


def _remove_authority(machine: Machine) -> None:
    machine.files.pop(AUTHORITY, None)


def _remove_target(machine: Machine) -> None:
    machine.files.pop(FILE, None)
    machine.files.pop(AUTHORITY, None)


def _restart(machine: Machine) -> None:
    machine.network.forwarding = FILE in machine.files


def _active(machine: Machine) -> str:
    if not machine.network.forwarding:
        raise Refusal("", stdout="inactive\n", exit_status=_INACTIVE)
    return "active\n"


HANDLERS = (
    on(StageLogAuthority, _stage)
    | on(StageLogTarget, _stage)
    | always(CheckLogTarget, _check)
    | always(PlaceLogAuthority, _place_authority)
    | always(PlaceLogTarget, _place_target)
    | always(RemoveLogAuthority, _remove_authority)
    | always(RemoveLogTarget, _remove_target)
    | always(RestartLogForwarding, _restart)
    | always(CheckLogForwarding, _active)
)
