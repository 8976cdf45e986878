"""Whether the console's database can be used. `python -m machine.backup.damaged PATH` ends with 1 if not.

It needs neither Django nor the database, so that what brings another one back can ask first.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

WAY_BACK = (
    "In a terminal of the machine, as root: “nasweb configuration list” shows the settings backups on the "
    "pools, and “nasweb configuration restore POOL --yes” brings the settings back. Pools, data and "
    "shares stay as they are."
)


def fault_of(path: Path) -> str | None:
    """What is wrong with the database in `path`; None where it is whole, or only busy."""
    if path.name == ":memory:" or "mode=memory" in path.name:  # of tests
        return None
    if not path.is_file():
        return "there is no database"
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5)) as opened:
            (said,) = opened.execute("PRAGMA quick_check(1)").fetchone()
            tables = opened.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as error:  # locked, or nobody may read it: that is no damage
        return None if "malformed" not in str(error) else str(error)
    except sqlite3.DatabaseError as error:
        return str(error)
    if said != "ok":
        return str(said)
    return None if tables[0] else "there is nothing in it"


def main(path: str) -> int:
    """The exit status."""
    fault = fault_of(Path(path))
    if fault is None:
        return 0
    sys.stderr.write(f"The console's database cannot be used ({fault}); the machine is asked directly.\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
