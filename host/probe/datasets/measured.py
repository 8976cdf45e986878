"""How the measurements of a dataset's files, of a pool's blocks and speed, and of the network stand."""

from __future__ import annotations

from host import typed
from host.base import Host
from host.benchmark.values import Benchmark
from host.blocks.values import PoolBlocks
from host.commands.datasets.measuring import ListMeasurements, ReadMeasured, What, run_of, unit_of
from host.commands.pools.dedup import ReadDedupTable
from host.compression.values import Measured
from host.dedup.histogram import parse_table
from host.dedup.values import DedupEstimate, DedupTable
from host.network_speed.values import NetworkSpeed
from host.probe.reports import standing
from host.scan.values import Scanned

_CUT_OFF = (
    "It ended without a word of its own, as at a restart of the machine. What it had measured is shown."
)


def read_measured(host: Host, dataset: str) -> Measured | None:
    """The last measurement of a dataset's compression, or the one that goes on; None where none is known.
    Raises `HostError`.
    """
    return _read(host, dataset, "compression", Measured)


def read_scanned(host: Host, dataset: str) -> Scanned | None:
    """The last scan of a dataset's files, or the one that goes on; None where none is known. Raises
    `HostError`.
    """
    return _read(host, dataset, "files", Scanned)


def read_dedup_estimate(host: Host, pool: str) -> DedupEstimate | None:
    """The last estimate of what deduplication would save in a pool, or the one that goes on; None where none
    is known. Raises `HostError`.
    """
    return _read(host, pool, "dedup", DedupEstimate)


def read_pool_blocks(host: Host, pool: str) -> PoolBlocks | None:
    """The last count of a pool's blocks, or the one that goes on; None where none is known. Raises
    `HostError`.
    """
    return _read(host, pool, "blocks", PoolBlocks)


def read_benchmark(host: Host, pool: str) -> Benchmark | None:
    """The last benchmark of a pool, or the one that goes on; None where none is known. Raises `HostError`."""
    return _read(host, pool, "benchmark", Benchmark)


def read_network_speed(host: Host) -> NetworkSpeed | None:
    """The last measurement of the network, or the one that goes on; None where none is known. Raises
    `HostError`.
    """
    return _read(host, "network", "network", NetworkSpeed)


def read_dedup_table(host: Host, pool: str) -> DedupTable | None:
    """The pool's table; None where nothing is deduplicated. Raises `HostError`."""
    return parse_table(host.run(ReadDedupTable(pool=pool)).stdout)


def _read[T: (Measured, Scanned, DedupEstimate, PoolBlocks, Benchmark, NetworkSpeed)](
    host: Host, name: str, what: What, kind: type[T]
) -> T | None:
    run = run_of(name)

    def report() -> T | None:
        text = host.run(ReadMeasured(what=what, run=run)).stdout
        found = typed.decode(text, kind) if text else None
        # A report is called by a hash of the name.
        return found if found is not None and _subject(found) == name else None

    return standing(report, host=host, units=ListMeasurements(), unit=unit_of(what, run), cut_off=_CUT_OFF)


def _subject(report: Measured | Scanned | DedupEstimate | PoolBlocks | Benchmark | NetworkSpeed) -> str:
    if isinstance(report, NetworkSpeed):
        return "network"
    return report.pool if isinstance(report, DedupEstimate | PoolBlocks | Benchmark) else report.dataset
