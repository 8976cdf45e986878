"""What each of these programs does: it opens a snapshot where only it sees it, and reports how far it is.

It says READY=1 once the snapshot is mounted: until then to end with 3 is to refuse, and why is one line on
its stderr.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from host.base import HostError
from host.commands.pools.zpool import ZpoolStatus
from host.compression.values import Measured
from host.files.copying import words_of
from host.files.opening import Root
from host.inventory.redundancy import resilvering
from host.local import LocalHost
from host.measuring.pausing import Asked, Pausing
from host.measuring.places import REPORTS
from host.probe.pools.pools import parse_zpool_status
from host.programs.replicate.frozen import frozen, trouble_of
from host.programs.report import Report
from host.programs.rights import refuse
from host.programs.signals import Stop, ready
from host.scan.values import Scanned
from host.system.mounts import leave_alone

_LOCKED = "The dataset is locked. Load its key first."


def mounted(snapshot: str, at: Path) -> AbstractContextManager[int]:
    """A descriptor of the snapshot's own folder, mounted for this process alone. Raises `OSError`."""
    leave_alone()
    return frozen(snapshot, at)


def resilvers(pool: str) -> bool:
    """Whether the pool does; a machine that does not answer is no reason to wait."""
    try:
        pools = parse_zpool_status(LocalHost().run(ZpoolStatus()).stdout, {})
    except HostError:
        return False
    return any(resilvering(one) for one in pools if one.name == pool)


class Around(NamedTuple):
    """What such a program finds on the machine."""

    opened: Callable[[str, Path], AbstractContextManager[int]]
    stop: Asked
    say_ready: Callable[[], None]
    busy: Callable[[str], bool]


def real() -> Around:
    """The machine that it runs on."""
    return Around(opened=mounted, stop=Stop(), say_ready=ready, busy=resilvers)


def carry_out[T: (Measured, Scanned)](
    what: str,
    asked: argparse.Namespace,
    around: Around,
    begin: Callable[[str], T],
    work: Callable[[Root, Report[T], Pausing], None],
) -> int:
    """The exit status. `begin` makes the first report from the time of the start."""
    try:
        with (
            TemporaryDirectory(prefix="nasweb-measure-") as folder,
            around.opened(f"{asked.dataset}@{asked.snapshot}", Path(folder) / "snapshot") as descriptor,
        ):
            report = Report(asked.reports / f"{what}-{asked.run}.json", begin, clock=time.monotonic)
            around.say_ready()
            pausing = Pausing(
                report, clock=time.monotonic, stop=around.stop,
                busy=lambda: around.busy(asked.dataset.partition("/")[0]),
            )  # fmt: skip
            work(Root(descriptor, os.fstat(descriptor).st_dev), report, pausing)
    except OSError as error:
        return refuse(_LOCKED if trouble_of(error) == "locked" else words_of(error))
    return 0


def parser(program: str, description: str | None) -> argparse.ArgumentParser:
    """With the options that all of them have."""
    found = argparse.ArgumentParser(prog=f"python -m {program}", description=description)
    found.add_argument("--run", required=True, help="what the run and its report are called")
    found.add_argument("--dataset", required=True, help="whose files they are")
    found.add_argument("--snapshot", required=True, help="the tag of the one that is read")
    found.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    return found
