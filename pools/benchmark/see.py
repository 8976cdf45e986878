"""pool.benchmark: the last benchmark of a pool, or the one that goes on."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.benchmark.values import Benchmark
from host.probe.datasets.measured import read_benchmark
from pools.measuring.beginning import NameText

QUESTION = "pool.benchmark"


class AskBenchmark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask how the benchmark of a pool stands."""

    name: NameText


class BenchmarkFound(msgspec.Struct, frozen=True, kw_only=True):
    """`benchmark` is None where there was none."""

    benchmark: Benchmark | None = None


def answer(request: AskBenchmark, host: Host) -> BenchmarkFound:
    """Raises `HostError`."""
    return BenchmarkFound(benchmark=read_benchmark(host, request.name))
