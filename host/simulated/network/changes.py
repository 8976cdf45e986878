"""How the simulated network is changed, and how a change is taken back when its minute is over."""

from __future__ import annotations

from functools import cache
from zoneinfo import available_timezones

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
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal
from host.simulated.state import Machine

_HEADER = 3  # lines of the mark before the file's own
_MISSING = "No such file or directory"


def _set_hostname(machine: Machine, command: SetHostname) -> None:
    machine.hostname = machine.network.kept_name = command.name


def _make_certificate(machine: Machine, command: MakeCertificate) -> None:
    if CERTIFICATE in machine.files:
        why = "The certificate in /etc/nasweb was not made by this machine; it stays.\n"
        raise Refusal(why, exit_status=3)
    machine.network.certificate = command.name


def _set_time_zone(machine: Machine, command: SetTimeZone) -> None:
    if command.zone not in _zones():
        why = f"Invalid or not installed time zone '{command.zone}'"
        raise Refusal(f"Failed to set time zone: {why}\n")
    machine.network.time_zone = command.zone


def _stage_hosts(machine: Machine, command: StageHosts) -> str:
    machine.files[f"{HOSTS}.nasweb"] = command.text
    return command.text


def _place_hosts(machine: Machine) -> None:
    move(machine, f"{HOSTS}.nasweb", HOSTS)


def _stage_network(machine: Machine, command: StageNetwork) -> str:
    machine.files[f"{network_file(command.mac)}.next"] = command.text
    return command.text


def _stage_way_back(machine: Machine, command: StageWayBack) -> str:
    machine.files[f"{PENDING}.next"] = command.input()
    return command.input()


def _sync(machine: Machine, command: SyncNetwork) -> None:
    for path in command.argv()[1:]:
        if path != FOLDER and path not in machine.files:
            raise Refusal(f"sync: error opening '{path}': {_MISSING}\n")


def _hold_way_back(machine: Machine) -> None:
    move(machine, f"{PENDING}.next", PENDING)


def _place_network(machine: Machine, command: PlaceNetwork) -> None:
    path = network_file(command.mac)
    move(machine, f"{path}.next", path)


def _start_timer(machine: Machine) -> None:
    machine.network.armed = machine.now()


def _stop_timer(machine: Machine) -> None:
    machine.network.armed = 0.0


def _confirm(machine: Machine) -> None:
    if machine.files.pop(PENDING, None) is None:
        raise Refusal(f"rm: cannot remove '{PENDING}': {_MISSING}\n")


def _forget_undone(machine: Machine) -> None:
    machine.files.pop(UNDONE, None)


def _reconfigure(machine: Machine, command: ReconfigureInterface) -> None:
    if command.interface not in {link.name for link in machine.network.links}:
        raise Refusal(f'Failed to resolve interface "{command.interface}": No such device\n')
    reload(machine)


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


def move(machine: Machine, source: str, target: str) -> None:
    """As mv does."""
    if source not in machine.files:
        raise Refusal(f"mv: cannot stat '{source}': {_MISSING}\n")
    machine.files[target] = machine.files.pop(source)


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


HANDLERS = (
    on(SetHostname, _set_hostname)
    | on(MakeCertificate, _make_certificate)
    | on(SetTimeZone, _set_time_zone)
    | on(StageHosts, _stage_hosts)
    | always(PlaceHosts, _place_hosts)
    | on(StageNetwork, _stage_network)
    | on(StageWayBack, _stage_way_back)
    | on(SyncNetwork, _sync)
    | always(HoldWayBack, _hold_way_back)
    | on(PlaceNetwork, _place_network)
    | always(StartRollbackTimer, _start_timer)
    | always(StopRollbackTimer, _stop_timer)
    | always(ConfirmNetwork, _confirm)
    | always(ForgetUndone, _forget_undone)
    | always(RollBackNetwork, roll_back)
    | always(ReloadNetworks, reload)
    | on(ReconfigureInterface, _reconfigure)
)
