"""Which function answers which command about shares."""

from __future__ import annotations

from host import commands as c
from host.base import Result
from host.simulated.refusal import Refusal, done
from host.simulated.sharing import files, services
from host.simulated.state import Machine


def read(machine: Machine, command: c.Command) -> Result | None:
    """The answer to a question about shares; None for any other command."""
    match command:
        case c.SharingFiles():
            return files.read_all(machine)
        case c.SharingServices():
            return services.states(machine)
        case c.CheckSamba():
            return services.check_samba(machine, command)
        case c.CheckExports():
            return services.check_exports(machine, command)
        case c.ShareAnswers():
            return services.share_answers(machine, command)
        case c.ExportsAnswer():
            return services.exports_answer(machine, command)
    return None


def change(machine: Machine, command: c.Command) -> Result | None:
    """The answer to what changes shares; None for any other command."""
    match command:
        case c.StageFile():
            return files.stage(machine, command)
        case c.KeepFile():
            return files.keep(machine, command)
        case c.PlaceFile():
            return files.place(machine, command)
        case c.PutBackFile():
            return files.put_back(machine, command)
        case c.ReloadService():
            return services.reload(machine, command)
        case c.SwitchService():
            return services.switch(machine, command)
        case c.CloseShare():
            return _close(machine, command)
        case c.ReleaseNfs():
            return _release(machine, command)
    return None


def _close(machine: Machine, _command: c.CloseShare) -> Result:
    """smbcontrol says nothing, also of a share that is not there; it fails where no smbd runs."""
    if services.state(machine, "smbd") != "active":
        raise Refusal("Can't find pid for destination 'smbd'\n")
    return done()


def _release(machine: Machine, command: c.ReleaseNfs) -> Result:
    """The kernel's file is there while nfsd is."""
    if services.state(machine, "nfs-server") != "active":
        raise Refusal(
            "tee: /proc/fs/nfsd/unlock_filesystem: No such file or directory\n", stdout=command.input()
        )
    return done(command.input())
