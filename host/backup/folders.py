"""The folders of backups of the settings: where they lie, and where they are prepared."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

DATASET = ".nasweb"  # below each pool's root; in no list, mounted for nobody but the program that writes
STATE = ".nasweb-state"  # /var and /home, where the owner moved them there (host.programs.moved_state)
BENCHMARK = ".nasweb-benchmark"  # there while a benchmark goes on (host.commands.pools.benchmark)
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


def of_pool(pool: str) -> str:
    """The dataset of a pool that holds the copies."""
    return f"{pool}/{DATASET}"


def is_ours(dataset: str) -> bool:
    """Whether it is such a dataset, that of /var and /home or that of a benchmark, or lies in one."""
    return dataset.split("/")[1:2] in ([DATASET], [STATE], [BENCHMARK])
