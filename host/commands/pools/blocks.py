"""The blocks of a pool by type and size, counted in a unit of its own."""

from __future__ import annotations

from host.commands.base import Command, PoolName
from host.commands.datasets.measuring import MeasurementSaid, RunId, started
from host.commands.starting import START_S, explained


class CountBlocks(Command, frozen=True, kw_only=True):
    """Begin to count the blocks of a pool. It goes on in the background, and reads only block pointers."""

    timeout_s = START_S
    touches = frozenset()
    run: RunId
    pool: PoolName

    def argv(self) -> tuple[str, ...]:
        return started("blocks", self.run, self.pool, f"--pool={self.pool}")

    def explained_by(self, said: str) -> Command | None:
        return explained(said, by=MeasurementSaid(what="blocks", run=self.run))


def counting(pool: str) -> tuple[str, ...]:
    """What the program starts: whole numbers, all levels and sizes, and no search for leaks, which needs much
    memory and finds those of each pool that is written to meanwhile.
    """
    return ("zdb", "-PLbbbb", pool)


Commands = CountBlocks
