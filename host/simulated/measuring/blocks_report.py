"""What a count of blocks reports on a simulated machine: each file in records of 128 KiB, with a dnode and,
for more than one record, a block of pointers.
"""

from __future__ import annotations

import msgspec

from host.blocks.counting import EMPTY
from host.blocks.table import LIMITS
from host.blocks.values import Blocks, PoolBlocks, SmallBlocks
from host.measuring.zdb import STOPPED
from host.simulated.state import Machine, Pool

LASTS_S = 40.0
_RECORD = 131072
_BLOCK = 4096  # of metadata, which is there twice


def report(machine: Machine, name: str, passed_s: float, *, ended: bool, stopped: bool) -> PoolBlocks:
    """So many seconds after its start, without what it is called and its times."""
    share = min(1.0, passed_s / LASTS_S)
    found = PoolBlocks(
        run="", pool=name, started_at="", updated_at="", share=share, left_s=LASTS_S * (1 - share)
    )
    if not ended:
        return found
    found = msgspec.structs.replace(found, phase="done", left_s=None)
    if stopped:
        return msgspec.structs.replace(found, verdict="stopped", words=STOPPED)
    pool = machine.pools.get(name)
    if pool is None:
        return msgspec.structs.replace(found, verdict="empty", words=EMPTY)
    return _counted(pool, found)


def _counted(pool: Pool, found: PoolBlocks) -> PoolBlocks:
    sizes = [one.size for dataset in pool.datasets.values() for one in dataset.files if one.kind == "file"]
    records = [_RECORD] * sum(size // _RECORD for size in sizes)
    records += [_sectors(size % _RECORD) for size in sizes if size % _RECORD]
    metadata = len(pool.datasets) + sum(1 + (size > _RECORD) for size in sizes)
    small = tuple(
        SmallBlocks(
            up_to_bytes=limit,
            count=sum(size <= limit for size in records),
            stored_bytes=sum(size for size in records if size <= limit),
        )
        for limit in LIMITS
    )
    large = sum(dataset.data for dataset in pool.datasets.values())
    data = sum(records) + large
    return msgspec.structs.replace(
        found, share=1.0, verdict="done",
        metadata=Blocks(
            count=metadata, stored_bytes=metadata * _BLOCK, allocated_bytes=2 * metadata * _BLOCK
        ),
        files=Blocks(count=len(records) + -(-large // _RECORD), stored_bytes=data, allocated_bytes=data),
        small=small if data else (),
    )  # fmt: skip


def _sectors(size: int) -> int:
    return -(-size // _BLOCK) * _BLOCK
