"""Which function answers which command about shares."""

from __future__ import annotations

from host.base import Result
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
from host.simulated.handlers import always, on
from host.simulated.refusal import Refusal, done
from host.simulated.sharing import files, services
from host.simulated.state import Machine


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


HANDLERS = (
    always(SharingFiles, files.read_all)
    | always(SharingServices, services.states)
    | on(CheckSamba, services.check_samba)
    | on(CheckExports, services.check_exports)
    | on(ShareAnswers, services.share_answers)
    | on(ExportsAnswer, services.exports_answer)
    | on(StageFile, files.stage)
    | on(KeepFile, files.keep)
    | on(PlaceFile, files.place)
    | on(PutBackFile, files.put_back)
    | on(ReloadService, services.reload)
    | on(SwitchService, services.switch)
    | on(CloseShare, _close)
    | on(ReleaseNfs, _release)
)
