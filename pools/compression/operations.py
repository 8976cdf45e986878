"""The operations on measurements of compression."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording, at
from pools.compression import measure, stop

_PAGE = at("Compression", "/compression/{name:/}/")

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="dataset.measure-compression",
        request=measure.MeasureDataset,
        plan=measure.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=measure.needs,
        remember=measure.remember,
        wording=Wording(title="Measure compression of {name}", page=_PAGE),
    ),
    Operation(
        name="dataset.stop-measuring-compression",
        request=stop.StopMeasuringDataset,
        plan=stop.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=stop.needs,
        remember=stop.remember,
        wording=Wording(title="Stop measuring compression of {name}", page=_PAGE),
    ),
)
