"""The measurement of a dataset's compression, as the API answers it and the page shows it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from host.compression.values import Measured
from host.inventory import Dataset, Inventory, Pool
from pools.benchmark.answers import newest_plain
from pools.compression import existing
from pools.compression.recommend import Option, Recommendation, options, recommend


class CompressionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """`run` is the last measurement or the one that goes on: its `verdict` is null until it ends. Nulls where
    there was none.

    `disks_bytes_per_s` is what the pool wrote in its last benchmark with large files; null without one.
    `stored_bytes` is what the dataset takes now, without its snapshots, `logical_bytes` what its files hold.
    """

    dataset: str
    compression: str | None
    stored_bytes: int
    logical_bytes: int
    run: Measured | None
    options: tuple[Option, ...]
    disks_bytes_per_s: float | None
    recommended: Recommendation | None
    existing_files: str
    as_of: str


def compression_answer(
    dataset: Dataset, inventory: Inventory, measured: Measured | None
) -> CompressionAnswer:
    """The answer for a dataset."""
    disks = _disks_write(dataset, inventory)
    found = options(measured) if measured is not None else ()
    settled = measured is not None and measured.verdict in {"done", "stopped"}
    return CompressionAnswer(
        dataset=dataset.name, compression=dataset.value("compression"),
        stored_bytes=dataset.number("referenced"), logical_bytes=dataset.number("logicalreferenced"),
        run=measured, options=found, disks_bytes_per_s=disks,
        recommended=recommend(usable(found, inventory.pool(dataset.pool)), disks_bytes_per_s=disks)
        if settled
        else None,
        existing_files=existing.words(dataset, inventory.facts.zfs_userland), as_of=inventory.as_of,
    )  # fmt: skip


def usable(found: Sequence[Option], pool: Pool | None) -> tuple[Option, ...]:
    """Those that the pool takes: one that was never upgraded since OpenZFS 2.0 has no zstd."""
    has_zstd = pool is None or pool.features.get("zstd_compress", "enabled") != "disabled"
    return tuple(one for one in found if has_zstd or not one.name.startswith("zstd"))


def _disks_write(dataset: Dataset, inventory: Inventory) -> float | None:
    pool = inventory.pool(dataset.pool)
    last = newest_plain(pool, inventory, "sequential") if pool is not None else None
    parts = last.benchmark.parts if last is not None else ()
    return next((one.bytes_per_s for one in parts if one.kind == "write"), None)
