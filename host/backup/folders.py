"""The folders where backups of the settings are prepared."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

UPLOADS = Path("/var/lib/nasweb/incoming")  # the console's: what somebody sent to be restored
SPOOL = Path("/run/nasweb-spool")  # the worker's RuntimeDirectory: what it hands over for a backup
WORKSHOP = Path("/run/nasweb-copies")  # the helper's RuntimeDirectory, root's alone and in memory
RESTORED = Path("/var/lib/nasweb-restored")  # root's; the console may read it: a database to be put in place

SAMBA = "smbpasswd"  # in the workshop: whom Samba knows, as pdbedit prints it
STAGED, READY, ORDER = "database.staged", "database.sqlite3", "order.json"  # in `RESTORED`


class Folders(NamedTuple):
    """All of them; a simulated machine has its own."""

    spool: Path = SPOOL
    uploads: Path = UPLOADS
    workshop: Path = WORKSHOP
    restored: Path = RESTORED


def beside(folder: Path) -> Folders:
    """Those of an installation that has all it keeps in one folder."""
    return Folders(folder / "spool", folder / "incoming", folder / "workshop", folder / "restored")
