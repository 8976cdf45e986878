"""The operations on counts of blocks."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording, at
from pools.metadata import start, stop

_PAGE = at("Metadata", "/metadata/{name}/")

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="pool.count-blocks",
        request=start.CountBlocksOfPool,
        plan=start.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=start.needs,
        remember=start.remember,
        wording=Wording(title="Count the blocks of {name}", page=_PAGE),
    ),
    Operation(
        name="pool.stop-counting-blocks",
        request=stop.StopCountingBlocks,
        plan=stop.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=stop.needs,
        remember=stop.remember,
        wording=Wording(title="Stop counting the blocks of {name}", page=_PAGE),
    ),
)
