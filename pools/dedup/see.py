"""pool.dedup: the last estimate for a pool, or the one that goes on, and the table where there is one."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.dedup.values import DedupEstimate, DedupTable
from host.probe.datasets.measured import read_dedup_estimate, read_dedup_table
from pools.measuring.beginning import NameText

QUESTION = "pool.dedup"


class AskDedup(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask what is known of a pool's equal blocks."""

    name: NameText


class DedupFound(msgspec.Struct, frozen=True, kw_only=True):
    """`estimate` is None where there was none, `table` where nothing is deduplicated."""

    estimate: DedupEstimate | None = None
    table: DedupTable | None = None


def answer(request: AskDedup, host: Host) -> DedupFound:
    """Raises `HostError`."""
    return DedupFound(
        estimate=read_dedup_estimate(host, request.name), table=read_dedup_table(host, request.name)
    )
