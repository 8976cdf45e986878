"""Pools, their vdevs, datasets and snapshots, and md arrays."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import get_args

from host.inventory import Dataset, Inventory, Pool, Vdev, leaves
from host.inventory.pools import Health
from nasweb.metrics.values import Family, counter, gauge, info, one_of
from pools.policies.standing import Standing

MOST_DATASETS = 500
_ERRORS = ("read", "write", "checksum")
type Labels = Mapping[str, str]


def of_pools(inventory: Inventory) -> Iterator[Family]:
    """Capacity, health and scrubs."""
    pools = [({"pool": pool.name}, pool) for pool in inventory.pools]
    yield info("pool", "A pool.", ({**of, "guid": pool.guid} for of, pool in pools))
    yield gauge(
        "pool_health", "The health of a pool over all its devices: 1 for the state it is in.",
        (one for of, pool in pools for one in one_of(get_args(Health), of, pool.health)),
    )  # fmt: skip
    for name, words, field in (
        ("pool_size_bytes", "Raw size, parity included.", "size_bytes"),
        ("pool_allocated_bytes", "Raw space in use.", "allocated_bytes"),
        ("pool_free_bytes", "Raw space that is free.", "free_bytes"),
        ("pool_data_errors", "Errors that could not be repaired: damaged files or metadata.", "data_errors"),
    ):
        yield gauge(name, words, ((of, getattr(pool, field)) for of, pool in pools))
    yield gauge(
        "pool_fragmentation_ratio", "Fragmentation of the free space.",
        ((of, _percent(pool.properties.get("fragmentation", ""))) for of, pool in pools),
    )  # fmt: skip
    yield gauge("pool_dedup_ratio", "Deduplication.", ((of, pool.dedup_ratio) for of, pool in pools))
    yield gauge(
        "pool_last_scrub_timestamp_seconds", "When the last complete scrub ended.",
        ((of, _seconds(pool.last_scrub) if pool.last_scrub else None) for of, pool in pools),
    )  # fmt: skip
    scans = [
        ({**of, "function": pool.scan.function.lower()}, pool.scan)
        for of, pool in pools
        if pool.scan is not None
    ]
    yield gauge(
        "pool_scan_errors", "Errors that the current or last scan found and could not repair.",
        ((of, scan.errors) for of, scan in scans),
    )  # fmt: skip
    yield gauge(
        "pool_scan_progress_ratio", "How far a scan that runs has come.",
        ((of, (scan.percent or 0) / 100) for of, scan in scans if scan.state == "SCANNING"),
    )  # fmt: skip


def of_vdevs(inventory: Inventory) -> Iterator[Family]:
    """Errors by device, since the pool was imported or they were cleared."""
    bays = {disk.id: disk.bay or "" for disk in inventory.disks}
    found = [one for pool in inventory.pools for one in _devices(pool, bays)]
    yield counter(
        "vdev_errors", "Errors of a vdev or of a device in it.",
        (
            ({**of, "kind": kind}, getattr(vdev, f"{kind}_errors"))
            for of, vdev in found
            for kind in _ERRORS
        ),
    )  # fmt: skip
    yield counter("vdev_slow_ios", "Requests over 30 s.", ((of, vdev.slow_ios) for of, vdev in found))
    yield gauge(
        "vdev_online", "1 for a vdev or device that is online (a spare: available or in use).",
        ((of, float(vdev.state in {"ONLINE", "AVAIL", "INUSE"})) for of, vdev in found),
    )  # fmt: skip


def of_datasets(inventory: Inventory, standings: Iterable[Standing]) -> Iterator[Family]:
    """Space of the first datasets, and snapshots of the first of those that have a policy."""
    shown = inventory.datasets[:MOST_DATASETS]
    yield gauge("dataset_used_bytes", "Space with all below it and snapshots.", _space(shown, "used"))
    yield gauge("dataset_available_bytes", "Space that it can still take.", _space(shown, "available"))
    kept = [one for one in standings if one.effective.acts]
    policies = [({"dataset": one.effective.dataset}, one) for one in kept[:MOST_DATASETS]]
    yield gauge(
        "snapshot_newest_timestamp_seconds", "When the newest snapshot of a policy was taken.",
        ((of, one.newest.timestamp() if one.newest else None) for of, one in policies),
    )  # fmt: skip
    yield gauge(
        "snapshot_longest_age_seconds", "How old the newest snapshot of a policy may be.",
        ((of, one.limit.total_seconds() if one.limit else None) for of, one in policies),
    )  # fmt: skip
    yield gauge(
        "snapshot_overdue", "1 where the newest snapshot is older than it may be.",
        ((of, float(one.overdue)) for of, one in policies),
    )  # fmt: skip
    left_out = len(inventory.datasets) - len(shown), len(kept) - len(policies)
    yield gauge(
        "datasets_left_out", f"Datasets beyond the first {MOST_DATASETS}, and those with a policy.",
        [({"of": "space"}, left_out[0]), ({"of": "snapshots"}, left_out[1])],
    )  # fmt: skip


def of_arrays(inventory: Inventory) -> Iterator[Family]:
    """md arrays: the boot pair is the one with `system="yes"`."""
    arrays = [
        ({"array": one.name, "system": "yes" if one.carries_system else "no"}, one)
        for one in inventory.arrays
    ]
    yield gauge("array_degraded", "1 where a member is missing.", ((of, one.degraded) for of, one in arrays))
    yield gauge("array_members", "Members that a whole array has.", ((of, one.wanted) for of, one in arrays))
    yield gauge("array_members_in_sync", "Members with all data.", ((of, one.in_sync) for of, one in arrays))


def _devices(pool: Pool, bays: Mapping[str, str]) -> Iterator[tuple[Labels, Vdev]]:
    for top in pool.vdevs:
        of = {"pool": pool.name, "vdev": top.name if top.children else "", "role": top.role}
        if top.children:
            yield {**of, "device": "", "disk": "", "bay": ""}, top
        for leaf in leaves(top):
            device = (leaf.path or leaf.name).rpartition("/")[2]
            disk = leaf.disk or ""
            yield {**of, "device": device, "disk": disk, "bay": bays.get(disk, "")}, leaf


def _space(shown: Iterable[Dataset], name: str) -> Iterator[tuple[Labels, float | None]]:
    for dataset in shown:
        yield {"dataset": dataset.name}, dataset.number(name)


def _percent(words: str) -> float | None:
    found = re.fullmatch(r"([0-9]+)%?", words)
    return int(found[1]) / 100 if found else None


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
