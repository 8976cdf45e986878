"""Measures what each of OpenZFS's compressions makes of a sample of a dataset's files.

`python -m host.programs.compression.measure --run ID --dataset NAME --snapshot TAG …` says READY=1 once the
snapshot is mounted, read-only and where only this process sees it: until then to end with 3 is to refuse, and
why is one line on its stderr. How far it is, and what it found, is in its report.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

from host.base import Host, HostError
from host.commands.pools.zpool import ZpoolStatus
from host.compression.codecs import Codecs
from host.compression.measuring import Asked, Measuring, begun
from host.compression.places import REPORTS
from host.files.copying import words_of
from host.files.opening import Root
from host.inventory.redundancy import resilvering
from host.local import LocalHost
from host.probe.pools.pools import parse_zpool_status
from host.programs.replicate.frozen import frozen, trouble_of
from host.programs.report import Report
from host.programs.rights import refuse
from host.programs.signals import Stop, ready
from host.system.mounts import leave_alone

_LOCKED = "The dataset is locked. Load its key first."
Opened = Callable[[str, Path], AbstractContextManager[int]]


def mounted(snapshot: str, at: Path) -> AbstractContextManager[int]:
    """A descriptor of the snapshot's own folder, mounted for this process alone. Raises `OSError`."""
    leave_alone()
    return frozen(snapshot, at)


def busy(host: Host, pool: str) -> bool:
    """Whether the pool resilvers; a machine that does not answer is no reason to wait."""
    try:
        pools = parse_zpool_status(host.run(ZpoolStatus()).stdout, {})
    except HostError:
        return False
    return any(resilvering(one) for one in pools if one.name == pool)


def main(
    arguments: list[str] | None = None,
    *,
    opened: Opened = mounted,
    host: Host | None = None,
    stop: Asked | None = None,
    say_ready: Callable[[], None] = ready,
) -> int:
    """The exit status."""
    asked = _parser().parse_args(arguments)
    host, stop = host or LocalHost(), stop or Stop()
    try:
        with (
            TemporaryDirectory(prefix="nasweb-compression-") as folder,
            opened(f"{asked.dataset}@{asked.snapshot}", Path(folder) / "snapshot") as descriptor,
        ):
            report = Report(
                asked.reports / f"{asked.run}.json",
                lambda moment: begun(
                    moment, run=asked.run, dataset=asked.dataset, snapshot=asked.snapshot,
                    record_bytes=asked.record, ashift=asked.ashift, cores=os.cpu_count() or 1,
                ),
                clock=time.monotonic,
            )  # fmt: skip
            say_ready()
            Measuring(
                Root(descriptor, os.fstat(descriptor).st_dev), report, Codecs(time.thread_time),
                embeds=asked.embeds, chance=random.SystemRandom(), clock=time.monotonic, stop=stop,
                busy=lambda: busy(host, asked.dataset.partition("/")[0]),
            ).carry_out()  # fmt: skip
    except OSError as error:
        return refuse(_LOCKED if trouble_of(error) == "locked" else words_of(error))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m host.programs.compression.measure", description=__doc__)
    parser.add_argument("--run", required=True, help="what the run and its report are called")
    parser.add_argument("--dataset", required=True, help="whose files they are")
    parser.add_argument("--snapshot", required=True, help="the tag of the one that is read")
    parser.add_argument("--record", type=int, required=True, help="the dataset's record size in bytes")
    parser.add_argument(
        "--ashift", type=int, required=True, help="the pool's smallest sectors: 2**ashift bytes"
    )
    parser.add_argument(
        "--embeds", action="store_true", help="the smallest blocks are kept in their pointers"
    )
    parser.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
