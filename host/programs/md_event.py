"""What mdadm's monitor starts for each event (mdadm.conf(5), PROGRAM): keeps it for the worker to read.

`nasweb-md-event EVENT ARRAY [DETAIL]`. Whatever is not what mdadm says is refused here, and nothing of it is
kept. It starts nothing, asks nobody, and needs Python alone: mdadm waits for it.
"""

from __future__ import annotations

import fcntl
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from host.monitoring import ARRAY, DETAIL, EVENT, EVENTS, UUID

_MOST_BYTES = 64 << 10  # an event has some two hundred
_SYSFS = Path("/sys/class/block")


def main(arguments: Sequence[str], *, events: Path = EVENTS, sysfs: Path = _SYSFS) -> int:
    """The exit status: 0 once it is kept, 2 for what is no event of mdadm."""
    event, array, detail = (*arguments, "", "", "")[:3]
    if not 2 <= len(arguments) <= 3 or not EVENT.fullmatch(event) or not ARRAY.fullmatch(array):
        sys.stderr.write("This is no event of mdadm; it was not kept.\n")
        return 2
    kname = Path(os.path.realpath(array)).name
    said = {
        "at_ns": time.time_ns(), "event": event, "array": kname, "uuid": _uuid(sysfs / kname / "md" / "uuid"),
        "detail": detail if DETAIL.fullmatch(detail) else None,
    }  # fmt: skip
    keep(json.dumps(said), events)
    return 0


def keep(line: str, events: Path) -> None:
    """Add a line to the file; of one that became long, the newer half stays."""
    events.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(events, flags, 0o600), "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        before = file.read()
        if len(before) > _MOST_BYTES:
            before = before[-_MOST_BYTES // 2 :].partition(b"\n")[2]
            file.truncate(0)
            file.write(before)
        file.write(line.encode() + b"\n")


def _uuid(path: Path) -> str | None:
    """As the kernel has it; an array that is gone has none."""
    try:
        text = path.read_text().strip()
    except OSError:
        return None
    return text if UUID.fullmatch(text) else None


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
