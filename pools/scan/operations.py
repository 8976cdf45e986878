"""The operations on scans of files."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording, at
from pools.scan import start, stop

_PAGE = at("Files by kind and size", "/scan/{name:/}/")

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="dataset.scan-files",
        request=start.ScanDataset,
        plan=start.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=start.needs,
        remember=start.remember,
        wording=Wording(title="Scan the files of {name}", page=_PAGE),
    ),
    Operation(
        name="dataset.stop-scan",
        request=stop.StopScan,
        plan=stop.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=stop.needs,
        remember=stop.remember,
        wording=Wording(title="Stop scanning the files of {name}", page=_PAGE),
    ),
)
