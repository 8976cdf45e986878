"""What the machine says of its shares: our files, Debian's smb.conf, the table of exports, the services."""

from __future__ import annotations

from typing import cast, get_args

from host.commands.shares.sharing import EXPORT_TABLE, PATHS, SERVICES, SMB_CONF, exported_path
from host.inventory.shares import Served, SharingFile
from host.lines import by_path


def parse_served(files: str, services: str) -> Served:
    """From what `SharingFiles` and `SharingServices` print."""
    found = by_path(files)
    ours = {
        kind: "\n".join(found[PATHS[kind]]) + "\n"
        for kind in cast("tuple[SharingFile, ...]", get_args(SharingFile))
        if PATHS[kind] in found
    }
    states = services.split()
    known = dict(zip(SERVICES, states, strict=False)) if len(states) == len(SERVICES) else {}
    exported = (exported_path(line) for line in found.get(EXPORT_TABLE, ()) if line)
    return Served(
        files=ours,
        smb_conf="\n".join(found.get(SMB_CONF, ())),
        services=known,
        exported=tuple(dict.fromkeys(exported)),
    )
