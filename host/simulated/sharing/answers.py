"""Which function answers which command about shares."""

from __future__ import annotations

from host.base import Result
from host.commands.base import Command
from host.commands.shares.sharing import (
    CheckExports,
    CheckSamba,
    CloseShare,
    ExportsAnswer,
    KeepFile,
    PlaceFile,
    PutBackFile,
    ReleaseNfs,
    ReloadService,
    ShareAnswers,
    SharingFiles,
    SharingServices,
    StageFile,
    SwitchService,
)
from host.simulated.refusal import Refusal, done
from host.simulated.sharing import files, services
from host.simulated.state import Machine


def read(machine: Machine, command: Command) -> Result | None:
    """The answer to a question about shares; None for any other command."""
    match command:
        case SharingFiles():
            return files.read_all(machine)
        case SharingServices():
            return services.states(machine)
        case CheckSamba():
            return services.check_samba(machine, command)
        case CheckExports():
            return services.check_exports(machine, command)
        case ShareAnswers():
            return services.share_answers(machine, command)
        case ExportsAnswer():
            return services.exports_answer(machine, command)
    return None


def change(machine: Machine, command: Command) -> Result | None:
    """The answer to what changes shares; None for any other command."""
    match command:
        case StageFile():
            return files.stage(machine, command)
        case KeepFile():
            return files.keep(machine, command)
        case PlaceFile():
            return files.place(machine, command)
        case PutBackFile():
            return files.put_back(machine, command)
        case ReloadService():
            return services.reload(machine, command)
        case SwitchService():
            return services.switch(machine, command)
        case CloseShare():
            return _close(machine, command)
        case ReleaseNfs():
            return _release(machine, command)
    return None


def _close(machine: Machine, _command: CloseShare) -> Result:
    """smbcontrol says nothing, also of a share that is not there; it fails where no smbd runs."""
    if services.state(machine, "smbd") != "active":
        raise Refusal("Can't find pid for destination 'smbd'\n")
    return done()


def _release(machine: Machine, command: ReleaseNfs) -> Result:
    """The kernel's file is there while nfsd is."""
    if services.state(machine, "nfs-server") != "active":
        raise Refusal(
            "tee: /proc/fs/nfsd/unlock_filesystem: No such file or directory\n", stdout=command.input()
        )
    return done(command.input())
