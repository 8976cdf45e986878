"""The operations on benchmarks."""

from __future__ import annotations

from typing import Any

from host.families import Family
from jobs.operation import Operation
from jobs.wording import Wording, at
from pools.benchmark import start, stop

_PAGE = at("Benchmark", "/benchmark/{name}/")

OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="pool.benchmark",
        request=start.BenchmarkPool,
        plan=start.plan,
        scope="pools:write",
        effect="changes",
        facts=frozenset({Family.POOLS}),
        needs=start.needs,
        remember=start.remember,
        wording=Wording(title="Measure how fast {name} is", page=_PAGE, editable=True),
    ),
    Operation(
        name="pool.stop-benchmark",
        request=stop.StopBenchmark,
        plan=stop.plan,
        scope="pools:write",
        effect="harmless",
        facts=frozenset({Family.POOLS}),
        needs=stop.needs,
        remember=stop.remember,
        wording=Wording(title="Stop the benchmark of {name}", page=_PAGE),
    ),
)
