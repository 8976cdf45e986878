"""What an estimate of deduplication reports on a simulated machine: short files of equal content count as
equal blocks, all else as different ones.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from host.dedup.estimating import EMPTY
from host.dedup.values import DedupEstimate, References
from host.measuring.zdb import STOPPED
from host.simulated.state import Machine, Pool

LASTS_S = 40.0
_RECORD = 131072


def report(machine: Machine, name: str, passed_s: float, *, ended: bool, stopped: bool) -> DedupEstimate:
    """So many seconds after its start, without what it is called and its times."""
    pool = machine.pools.get(name)
    rows = () if pool is None else _rows(pool)
    share = min(1.0, passed_s / LASTS_S)
    found = DedupEstimate(
        run="", pool=name, started_at="", updated_at="", share=share, left_s=LASTS_S * (1 - share),
        different_blocks=round(share * sum(row.blocks for row in rows)),
    )  # fmt: skip
    if not ended:
        return found
    found = msgspec.structs.replace(found, phase="done", left_s=None)
    if stopped:
        return msgspec.structs.replace(found, verdict="stopped", words=STOPPED)
    if not rows:
        return msgspec.structs.replace(found, verdict="empty", words=EMPTY)
    return msgspec.structs.replace(found, verdict="done", rows=rows)


def _rows(pool: Pool) -> tuple[References, ...]:
    files = [one for dataset in pool.datasets.values() for one in dataset.files if one.kind == "file"]
    same = Counter((one.size, one.data) for one in files if one.size and one.data is not None)
    alone = sum(one.size for one in files if one.data is None)
    alone += sum(dataset.data for dataset in pool.datasets.values())
    found = {1: (-(-alone // _RECORD), alone, -(-alone // _RECORD), alone)} if alone else {}
    for (size, _), times in same.items():
        power = 1 << (times.bit_length() - 1)
        before = found.get(power, (0, 0, 0, 0))
        found[power] = (before[0] + 1, before[1] + size, before[2] + times, before[3] + times * size)
    return tuple(
        References(
            references=power, blocks=blocks, size_bytes=size, referenced_blocks=all_blocks,
            referenced_bytes=all_bytes,
        )
        for power, (blocks, size, all_blocks, all_bytes) in sorted(found.items())
    )  # fmt: skip
