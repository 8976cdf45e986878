"""Derives the steps that make the machine serve what is stored, with their undo.

The files are rendered whole, staged beside the old ones, and read there by the programs that they are for.
Only then do they take the place of the old ones; the services read them, and have to answer. If they do not,
the old files come back and are read again.
"""

from __future__ import annotations

import difflib
from typing import NamedTuple

from host.commands.closed import AnyCommand
from host.commands.shares.sharing import (
    PATHS,
    CheckExports,
    CheckSamba,
    CloseShare,
    ExportsAnswer,
    KeepFile,
    PlaceFile,
    PutBackFile,
    ReloadService,
    ShareAnswers,
    StageFile,
    SwitchService,
)
from host.inventory import Inventory, Sharing
from host.inventory.shares import SharingFile, SharingService
from host.lines import lines
from jobs.plan import FileChange, Refused, Step
from jobs.planning.findings import fault as finding
from shares import discovery
from shares.nfs import render as nfs
from shares.sealing import is_ours
from shares.smb import render as smb
from shares.smb.checks import others_shares
from shares.written import settings_fault

_FILES: tuple[SharingFile, ...] = ("samba", "exports", "nfs", "avahi")
_MOST_ASKED = 20  # shares that are asked for afterwards, of those that changed


def texts(sharing: Sharing, inventory: Inventory) -> dict[SharingFile, str]:
    """Each file as it shall be. Raises `Refused` where what is stored for all shares cannot be written."""
    if fault := settings_fault(sharing.settings):
        message = f"The settings for all shares cannot be written: {fault} Set them again."
        raise Refused((finding("bad-stored", "", message),))
    return {
        "samba": smb.render(sharing, inventory),
        "exports": nfs.render(sharing, inventory),
        "nfs": nfs.render_versions(sharing),
        "avahi": discovery.render(sharing, inventory),
    }


def apply(sharing: Sharing, inventory: Inventory, *, repair: bool = False) -> tuple[Step, ...]:
    """The steps from what the machine serves now to what `sharing` says; none where it does already.

    `repair`: also where just the NFS server does not export what its files say. A change of something else is
    not to fail for that.
    """
    wanted = texts(sharing, inventory)
    known = inventory.served.files
    changed = [file for file in _FILES if wanted[file] != known.get(file, "")]
    lost = unexported(sharing, inventory) if repair and not {"exports", "nfs"} & set(changed) else ()
    services = _services(sharing, inventory, changed, lost)
    if not changed and not services.forward:
        return ()
    steps = []
    if changed:
        steps.append(_prepare(changed, wanted, known))
    place = tuple(PlaceFile(file=file) for file in changed)
    answers = _answers(sharing, inventory, changed, wanted)
    answers += (ExportsAnswer(paths=lost),) if lost else ()
    steps.append(
        Step(
            title="Put them in place, reload them, and check that everything is served",
            commands=(*place, *services.forward, *answers),
            undo=(*(PutBackFile(file=file) for file in changed), *services.back),
        )
    )
    return tuple(steps)


def unexported(sharing: Sharing, inventory: Inventory) -> tuple[str, ...]:
    """The folders that the NFS server should export, and does not although it runs."""
    return tuple(path for path in nfs.exported(sharing, inventory) if path not in inventory.served.exported)


def drifted(inventory: Inventory) -> tuple[SharingFile, ...]:
    """The files that somebody else changed since we wrote them."""
    known = inventory.served.files
    return tuple(file for file in _FILES if file in known and not is_ours(known[file]))


def _prepare(
    changed: list[SharingFile], wanted: dict[SharingFile, str], known: dict[SharingFile, str]
) -> Step:
    commands: list[AnyCommand] = [StageFile(file=file, text=wanted[file]) for file in changed]
    if "samba" in changed:
        commands.append(CheckSamba())
    if "exports" in changed:
        commands.append(CheckExports(known=tuple(sorted(nfs.names(known.get("exports", ""))))))
    commands += [KeepFile(file=file, missing=file not in known) for file in changed]
    changes = tuple(
        FileChange(path=PATHS[file], diff=_diff(known.get(file, ""), wanted[file], PATHS[file]))
        for file in changed
    )
    return Step(
        title="Write the new files beside those in use, and check them",
        commands=tuple(commands),
        changes=changes,
    )


def _diff(before: str, after: str, path: str) -> str:
    texts_by_line = (list(lines(before)), list(lines(after)))
    return "\n".join(difflib.unified_diff(*texts_by_line, path, path, n=2, lineterm=""))


class _Ways(NamedTuple):
    forward: tuple[AnyCommand, ...]
    back: tuple[AnyCommand, ...]


def _serves_smb(sharing: Sharing, inventory: Inventory) -> bool:
    """Whether smbd runs: for our own shares, or for those that somebody has in Debian's file."""
    return any(share.enabled for share in sharing.smb) or bool(others_shares(inventory.served.smb_conf))


def _services(
    sharing: Sharing, inventory: Inventory, changed: list[SharingFile], lost: tuple[str, ...]
) -> _Ways:
    """What has to be started, stopped or reloaded, and how to go back."""
    serves_smb = _serves_smb(sharing, inventory)
    serves_nfs = any(share.enabled for share in sharing.nfs) or _others_export(inventory)
    forward: list[AnyCommand] = []
    back: list[AnyCommand] = []
    wanted: tuple[tuple[SharingService, bool, bool, bool], ...] = (
        ("smbd", serves_smb, "samba" in changed, _restarts(sharing, inventory)),
        ("nfs-server", serves_nfs, bool(lost or {"exports", "nfs"} & set(changed)), "nfs" in changed),
        ("wsdd2", serves_smb, "samba" in changed and _named_anew(sharing, inventory), True),
    )
    for service, on, changes, restart in wanted:
        running = inventory.served.services.get(service) in {"active", "reloading", "activating"}
        if on != running:
            forward.append(SwitchService(service=service, on=on))
            back.append(SwitchService(service=service, on=running))
        elif on and changes:
            how = ReloadService(service=service, how="restart" if restart else "reload")
            forward.append(how)
            back.append(how)
    return _Ways(tuple(forward), tuple(back))


def _others_export(inventory: Inventory) -> bool:
    return any(not ours(path, inventory) for path in inventory.served.exported)


def _restarts(sharing: Sharing, inventory: Inventory) -> bool:
    """Samba binds its addresses once, when it starts."""
    return sharing.settings.interfaces != inventory.sharing.settings.interfaces


def _named_anew(sharing: Sharing, inventory: Inventory) -> bool:
    now, then = sharing.settings, inventory.sharing.settings
    return (now.name, now.workgroup, now.interfaces) != (then.name, then.workgroup, then.interfaces)


def _answers(
    sharing: Sharing, inventory: Inventory, changed: list[SharingFile], wanted: dict[SharingFile, str]
) -> tuple[AnyCommand, ...]:
    """Let go of what is not served any more, and ask for all else that changed."""
    commands: list[AnyCommand] = []
    if "samba" in changed and _serves_smb(sharing, inventory):
        before = smb.sections(inventory.served.files.get("samba", ""))
        after = smb.sections(wanted["samba"])
        going = [name for name in before if name not in after or smb.narrower(before[name], after[name])]
        was_running = inventory.served.services.get("smbd") == "active"
        commands += [CloseShare(name=name) for name in going if name != "global"] if was_running else []
        fresh = [name for name in after if name != "global" and after[name] != before.get(name)]
        commands += [ShareAnswers(name=name) for name in fresh[:_MOST_ASKED]]
    if {"exports", "nfs"} & set(changed) and any(share.enabled for share in sharing.nfs):
        paths = nfs.exported(sharing, inventory)
        gone = tuple(
            path for path in inventory.served.exported if path not in paths and ours(path, inventory)
        )
        known = nfs.names(inventory.served.files.get("exports", ""))
        surely = nfs.surely_exported(sharing, inventory, known)
        commands.append(ExportsAnswer(paths=surely, gone=gone))
    return tuple(commands)


def ours(path: str, inventory: Inventory) -> bool:
    """Whether an exported folder came of our own file, and not of somebody's /etc/exports."""
    return f'"{path}" ' in inventory.served.files.get("exports", "")
