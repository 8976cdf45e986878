"""Counts the blocks of a pool by type and size.

`python -m host.programs.measuring.blocks --run ID --pool NAME`. It says READY=1 once the pool was found:
until then to end with 3 is to refuse, and why is one line on its stderr.
"""

from __future__ import annotations

import time

from host import local
from host.base import CommandFailed, Host
from host.blocks.counting import TOO_LARGE, Count
from host.blocks.values import PoolBlocks
from host.commands.pools.dedup import SyncPool
from host.local import LocalHost
from host.programs.measuring.pool import asked_of, reading
from host.programs.measuring.snapshot import Around, real
from host.programs.report import Report
from host.programs.rights import refuse
from host.system.following import Follow


def main(
    arguments: list[str] | None = None,
    around: Around | None = None,
    host: Host | None = None,
    follow: Follow = local.follow,
) -> int:
    """The exit status."""
    asked, around = asked_of("blocks", __doc__, arguments), around or real()
    try:
        (host or LocalHost()).run(SyncPool(pool=asked.pool))
    except CommandFailed as error:
        return refuse(error.result.stderr.strip().partition("\n")[0])

    def begin(moment: str) -> PoolBlocks:
        return PoolBlocks(run=asked.run, pool=asked.pool, started_at=moment, updated_at=moment)

    report = Report(asked.reports / f"blocks-{asked.run}.json", begin, clock=time.monotonic)
    around.say_ready()
    Count(report, reading(report, asked.pool, around, follow, TOO_LARGE)).carry_out()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
