"""The services that serve shares, and what they answer."""

from __future__ import annotations

from host.base import Result
from host.commands.shares.sharing import (
    PATHS,
    SERVICES,
    CheckExports,
    CheckSamba,
    ExportsAnswer,
    ReloadService,
    ShareAnswers,
    SwitchService,
)
from host.simulated.refusal import Refusal, done
from host.simulated.sharing import exports, samba
from host.simulated.state import Machine

_GRANTED = "Domain=[WORKGROUP] OS=[] Server=[]\n"


def states(machine: Machine) -> Result:
    """systemctl is-active: 3 where one is not."""
    words = [state(machine, name) for name in SERVICES]
    text = "".join(f"{word}\n" for word in words)
    return done(text) if set(words) == {"active"} else Result(exit=3, stdout=text)


def switch(machine: Machine, command: SwitchService) -> Result:
    """systemctl enable --now, or disable --now."""
    machine.services[command.service] = "active" if command.on else "inactive"
    if command.on:
        _load(machine, command.service)
    elif command.service == "nfs-server":
        machine.exported = []
    else:
        _forget(machine, command.service)
    return done()


def reload(machine: Machine, command: ReloadService) -> Result:
    """systemctl reload, or restart."""
    name = command.service
    if state(machine, name) != "active" and command.how == "reload":
        raise Refusal(f"{name}.service is not active, cannot reload.\n")
    machine.services[name] = "active"
    _load(machine, name)
    return done()


def check_samba(machine: Machine, command: CheckSamba) -> Result:
    """testparm of the staged file."""
    text = machine.files.get(f"{PATHS['samba']}.next")
    if text is None:
        raise Refusal(
            f"Error loading services.\nCan't load {command.argv()[-1]} - run testparm to debug it\n"
        )
    said = samba.complaints(text)
    return done(text, stderr=said or "Loaded services file OK.\n")


def check_exports(machine: Machine, _command: CheckExports) -> Result:
    """exportfs of the staged file."""
    text = machine.files.get(f"{PATHS['exports']}.next", "")
    said = exports.complaints(machine, text, "/etc/exports")
    return Result(exit=1, stderr=said) if said or not exports.table(machine, text) else done()


def share_answers(machine: Machine, command: ShareAnswers) -> Result:
    """smbclient as nobody."""
    if state(machine, "smbd") != "active":
        return Result(
            exit=1, stdout="do_connect: Connection to 127.0.0.1 failed (Error NT_STATUS_CONNECTION_REFUSED)\n"
        )
    share = samba.share(machine.samba, command.name)
    if share is None:
        return Result(exit=1, stdout="tree connect failed: NT_STATUS_BAD_NETWORK_NAME\n")
    if share.get("guest ok") == "yes":
        return done()
    return Result(exit=1, stdout="Anonymous login successful\ntree connect failed: NT_STATUS_ACCESS_DENIED\n")


def exports_answer(machine: Machine, _command: ExportsAnswer) -> Result:
    """exportfs -s."""
    return done("".join(line.replace("\t", "  ") + "\n" for line in machine.exported))


def state(machine: Machine, name: str) -> str:
    """As systemctl says it."""
    usual = "active" if name == "avahi-daemon" else "inactive"
    return machine.services.get(name, usual)


def _load(machine: Machine, name: str) -> None:
    if name == "smbd":
        machine.samba = machine.files.get(PATHS["samba"], "")
    elif name == "nfs-server":
        machine.exported = exports.table(machine, machine.files.get(PATHS["exports"], ""))


def _forget(machine: Machine, name: str) -> None:
    if name == "smbd":
        machine.samba = ""
