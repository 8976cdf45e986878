"""Estimates what deduplication would save in a pool.

`python -m host.programs.measuring.dedup --run ID --pool NAME`. It says READY=1 once the pool was found: until
then to end with 3 is to refuse, and why is one line on its stderr.
"""

from __future__ import annotations

import time
from contextlib import suppress

from host import local
from host.base import CommandFailed, Host
from host.commands.pools.dedup import ListObjectSets, SyncPool
from host.dedup.estimating import TOO_LARGE, Estimate
from host.dedup.values import DedupEstimate
from host.lines import rows
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
    asked, around = asked_of("dedup", __doc__, arguments), around or real()
    machine = host or LocalHost()
    try:
        first = _object_sets(machine, asked.pool)
        machine.run(SyncPool(pool=asked.pool))
    except CommandFailed as error:
        return refuse(error.result.stderr.strip().partition("\n")[0])

    def begin(moment: str) -> DedupEstimate:
        return DedupEstimate(run=asked.run, pool=asked.pool, started_at=moment, updated_at=moment)

    report = Report(asked.reports / f"dedup-{asked.run}.json", begin, clock=time.monotonic)
    around.say_ready()
    followed = reading(report, asked.pool, around, follow, TOO_LARGE)

    def listed() -> dict[int, int]:
        with suppress(CommandFailed):  # the pool is gone by now
            return _object_sets(machine, asked.pool)
        return {}

    Estimate(report, first, followed, listed).carry_out()
    return 0


def _object_sets(machine: Host, pool: str) -> dict[int, int]:
    """The bytes that each has to itself, by its number. Raises `CommandFailed`."""
    listed = machine.run(ListObjectSets(pool=pool)).stdout
    return {int(number): int(size) for number, size in rows(listed, 2) if (number + size).isdecimal()}


if __name__ == "__main__":
    raise SystemExit(main())
