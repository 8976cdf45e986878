"""How the simulated network is changed, and how a change is taken back when its minute is over."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

from host.base import Result
from host.commands.base import Command
from host.commands.naming import (
    CERTIFICATE,
    HOSTS,
    MakeCertificate,
    PlaceHosts,
    SetHostname,
    SetTimeZone,
    StageHosts,
)
from host.commands.network import (
    CONFIRM_S,
    FOLDER,
    LOCALTIME,
    PENDING,
    UNDONE,
    ConfirmNetwork,
    ForgetUndone,
    HoldWayBack,
    PlaceNetwork,
    ReconfigureInterface,
    ReloadNetworks,
    RollBackNetwork,
    StageNetwork,
    StageWayBack,
    StartRollbackTimer,
    StopRollbackTimer,
    SyncNetwork,
    network_file,
)
from host.simulated.refusal import Refusal, done
from host.simulated.state import Machine

_HEADER = 3  # lines of the mark before the file's own
_MISSING = "No such file or directory"


def change(machine: Machine, command: Command) -> Result | None:
    """The answer to what changes name, clock or network; None for any other command."""
    network = machine.network
    match command:
        case SetHostname():
            machine.hostname = network.kept_name = command.name
        case MakeCertificate():
            if CERTIFICATE in machine.files:
                why = "The certificate in /etc/nasweb was not made by this machine; it stays.\n"
                raise Refusal(why, exit_status=3)
            network.certificate = command.name
        case SetTimeZone():
            if command.zone not in _zones():
                why = f"Invalid or not installed time zone '{command.zone}'"
                raise Refusal(f"Failed to set time zone: {why}\n")
            network.time_zone = command.zone
        case StageHosts():
            machine.files[f"{HOSTS}.nasweb"] = command.text
            return done(command.text)
        case PlaceHosts():
            _move(machine, f"{HOSTS}.nasweb", HOSTS)
        case _:
            return _change_network(machine, command)
    return done()


def _change_network(machine: Machine, command: Command) -> Result | None:
    match command:
        case StageNetwork():
            machine.files[f"{network_file(command.mac)}.next"] = command.text
            return done(command.text)
        case StageWayBack():
            machine.files[f"{PENDING}.next"] = command.input()
            return done(command.input())
        case SyncNetwork():
            for path in command.argv()[1:]:
                if path != FOLDER and path not in machine.files:
                    raise Refusal(f"sync: error opening '{path}': {_MISSING}\n")
        case HoldWayBack():
            _move(machine, f"{PENDING}.next", PENDING)
        case PlaceNetwork():
            path = network_file(command.mac)
            _move(machine, f"{path}.next", path)
        case StartRollbackTimer():
            machine.network.armed = machine.now()
        case StopRollbackTimer():
            machine.network.armed = 0.0
        case ConfirmNetwork():
            if machine.files.pop(PENDING, None) is None:
                raise Refusal(f"rm: cannot remove '{PENDING}': {_MISSING}\n")
        case ForgetUndone():
            machine.files.pop(UNDONE, None)
        case _:
            return _let_work(machine, command)
    return done()


def _let_work(machine: Machine, command: Command) -> Result | None:
    match command:
        case RollBackNetwork():
            roll_back(machine)
        case ReloadNetworks():
            reload(machine)
        case ReconfigureInterface():
            known = {link.name: link for link in machine.network.links}
            if command.interface not in known:
                name = command.interface
                raise Refusal(f'Failed to resolve interface "{name}": No such device\n')
            reload(machine)
        case _:
            return None
    return done()


def due(machine: Machine) -> bool:
    """Whether the minute of a change is over."""
    return bool(machine.network.armed) and machine.now() >= machine.network.armed + CONFIRM_S


def settle(machine: Machine) -> None:
    """Take a change back whose minute is over."""
    if due(machine):
        roll_back(machine)


def roll_back(machine: Machine) -> None:
    """What root's program does: put back what the mark holds. Without a mark there is nothing to do."""
    machine.network.armed = 0.0
    if (mark := machine.files.pop(PENDING, None)) is None:
        return
    name, _, kept, *lines = mark.split("\n", _HEADER)
    if kept == "kept":
        machine.files[f"{FOLDER}/{name}"] = lines[0]
    else:
        machine.files.pop(f"{FOLDER}/{name}", None)
    machine.files[UNDONE] = mark
    machine.network.undone = machine.now()
    reload(machine)


def reload(machine: Machine) -> None:
    """networkd reads the files again, and sets up anew what has another one now."""
    links = machine.network.links
    texts = {link.name: machine.files.get(network_file(link.mac)) for link in links}
    machine.network.applied = {name: text for name, text in texts.items() if text is not None}
    for link in links:
        if link.manager == "none" and link.name in machine.network.applied:
            link.manager = "networkd"


def zone_file(machine: Machine) -> tuple[str, str]:
    """/etc/localtime and where it leads."""
    return LOCALTIME, f"/usr/share/zoneinfo/{machine.network.time_zone}"


def _move(machine: Machine, source: str, target: str) -> None:
    if source not in machine.files:
        raise Refusal(f"mv: cannot stat '{source}': {_MISSING}\n")
    machine.files[target] = machine.files.pop(source)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())
