"""How something of ours that runs in a unit stands, from its report and from whether the unit is there."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from host.base import Host
from host.benchmark.values import Benchmark
from host.blocks.values import PoolBlocks
from host.commands.base import Command
from host.compression.values import Measured
from host.dedup.values import DedupEstimate
from host.files.answers import Applied, Restored
from host.network_speed.values import NetworkSpeed
from host.repositories.answers import RunReport
from host.scan.values import Scanned

_rows = msgspec.json.Decoder(list[dict[str, str]])


def standing[
    T: (Restored, Applied, RunReport, Measured, Scanned, DedupEstimate, PoolBlocks, Benchmark, NetworkSpeed)
](read: Callable[[], T | None], *, host: Host, units: Command, unit: str, cut_off: str) -> T | None:
    """What the report says; None where there is none. `units` lists those that run. Raises `HostError`.

    A report that says it goes on while its unit is gone was cut off: it failed, and `cut_off` says so.
    """
    first = read()
    if first is None or first.verdict is not None:
        return first
    rows = _rows.decode(host.run(units).stdout)
    if any(row.get("unit") == unit for row in rows):
        return first
    # It may have ended between the two reads.
    last = read()
    if last is None or last.verdict is not None:
        return last
    return msgspec.structs.replace(last, verdict="failed", finished_at=last.updated_at, words=cut_off)
