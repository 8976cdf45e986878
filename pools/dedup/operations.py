"""The operations on estimates of deduplication."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording, at
from pools.dedup import start, stop

_PAGE = at("Deduplication", "/dedup/{name}/")

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="pool.estimate-dedup",
        request=start.EstimateDeduplication,
        plan=start.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=start.needs,
        remember=start.remember,
        wording=Wording(title="Estimate deduplication of {name}", page=_PAGE),
    ),
    Operation(
        name="pool.stop-dedup-estimate",
        request=stop.StopDedupEstimate,
        plan=stop.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=stop.needs,
        remember=stop.remember,
        wording=Wording(title="Stop estimating deduplication of {name}", page=_PAGE),
    ),
)
