"""The operations on pools as a whole, and those of the folders beside."""

from __future__ import annotations

from typing import Any

from jobs.operation import Operation
from jobs.wording import Data, Losses, Wording, at, counted
from pools import create_pool, destroy_pool
from pools.arrays.operations import OPERATIONS as ARRAYS
from pools.benchmark.operations import OPERATIONS as BENCHMARK
from pools.boot.operations import OPERATIONS as BOOT
from pools.care.operations import OPERATIONS as CARE
from pools.compression.operations import OPERATIONS as COMPRESSION
from pools.datasets.operations import OPERATIONS as DATASETS
from pools.dedup.operations import OPERATIONS as DEDUP
from pools.files.operations import OPERATIONS as FILES
from pools.keys.operations import OPERATIONS as KEYS
from pools.links import POOL_PAGE
from pools.members.operations import OPERATIONS as MEMBERS
from pools.metadata.operations import OPERATIONS as METADATA
from pools.policies.operations import OPERATIONS as POLICIES
from pools.scan.operations import OPERATIONS as SCAN
from pools.snapshots.operations import OPERATIONS as SNAPSHOTS
from pools.travel.operations import OPERATIONS as TRAVEL


def _create_button(data: Data, losses: Losses) -> str:
    disks = sum("disk" in loss for loss in losses)
    return f"Create {data.get('name')}" + (f", erase {counted(disks, 'disk')}" if disks else "")


def _destroy_button(data: Data, losses: Losses) -> str:
    datasets = sum("dataset" in loss for loss in losses)
    return f"Destroy {data.get('name')}" + (f" and {counted(datasets, 'dataset')}" if datasets else "")


OPERATIONS: tuple[Operation[Any], ...] = (
    Operation(
        name="pool.create",
        request=create_pool.CreatePool,
        plan=create_pool.plan,
        scope="pools:write",
        effect="destroys",
        wording=Wording(
            title="Create pool {name}",
            page=at("Pool builder", "/create/pool/"),
            result=at("Open {name}", "/pools/{name}/"),
            button=_create_button,
            editable=True,
        ),
    ),
    Operation(
        name="pool.destroy",
        request=destroy_pool.DestroyPool,
        plan=destroy_pool.plan,
        scope="pools:write",
        effect="destroys",
        moves_datasets=True,
        wording=Wording(
            title="Destroy pool {name}", page=POOL_PAGE, result=at("Pools", "/pools/"), button=_destroy_button
        ),
    ),
    *TRAVEL,
    *MEMBERS,
    *CARE,
    *COMPRESSION,
    *SCAN,
    *BENCHMARK,
    *DEDUP,
    *METADATA,
    *DATASETS,
    *KEYS,
    *SNAPSHOTS,
    *POLICIES,
    *FILES,
    *ARRAYS,
    *BOOT,
)
