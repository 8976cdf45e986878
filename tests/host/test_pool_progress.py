"""What pools report of scans, removals, expansions, trims, features and of this very moment.

The answers are put together by the keys that OpenZFS 2.3.9's program has: no machine of the lab said them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from host.inventory import Checkpoint, Expansion, Filling, Pool, Removal, Scan, leaves
from host.probe.pools.iostat import parse_zpool_iostat
from host.probe.pools.pools import parse_zpool_status

GUID = 17076396061994760781


def _pool(leaf: dict[str, Any] | None = None, settings: dict[str, str] | None = None, **more: Any) -> Pool:
    path = "/dev/disk/by-id/ata-X-part1"
    one = {"name": path, "vdev_type": "disk", "guid": GUID, "path": path, "state": "ONLINE"} | (leaf or {})
    root = {"name": "tank", "vdev_type": "root", "guid": 1, "state": "ONLINE", "vdevs": {path: one}}
    pool = {"name": "tank", "state": "ONLINE", "pool_guid": GUID, "vdevs": {"tank": root}, "error_count": 0}
    answer = {"output_version": {"vers_major": 0, "vers_minor": 1}, "pools": {"tank": pool | more}}
    (found,) = parse_zpool_status(json.dumps(answer), {"tank": settings or {}})
    return found


def test_a_paused_scrub_is_reported_with_all_its_bytes() -> None:
    stats = {
        "function": "SCRUB", "state": "SCANNING", "start_time": 1795263737, "end_time": 1795200000,
        "to_examine": 1000, "examined": 900, "skipped": 200, "processed": 7, "errors": 2,
        "bytes_per_scan": 90, "pass_start": 1795263800, "scrub_pause": 1795263900, "scrub_spent_paused": 60,
        "issued_bytes_per_scan": 100, "issued": 400,
    }  # fmt: skip
    assert _pool(scan_stats=stats).scan == Scan(
        function="SCRUB", state="SCANNING", started="2026-11-21T12:22:17+00:00", percent=50.0, errors=2,
        total_bytes=1000, examined_bytes=900, issued_bytes=400, skipped_bytes=200, repaired_bytes=7,
        paused="2026-11-21T12:25:00+00:00", paused_s=60, pass_started="2026-11-21T12:23:20+00:00",
        pass_issued_bytes=100,
    )  # fmt: skip


def test_a_scan_of_a_kind_nobody_knows_is_unknown() -> None:
    scan = _pool(scan_stats={"function": "POLISH", "state": "SHINING"}).scan
    assert scan is not None
    assert (scan.function, scan.state, scan.percent) == ("UNKNOWN", "UNKNOWN", None)


def test_removal_expansion_and_checkpoint_are_reported() -> None:
    moving = {"name": "mirror", "state": "SCANNING", "start_time": 1795263737, "end_time": 0}
    pool = _pool(
        removal_stats=moving | {"removing_vdev": 1, "to_copy": 50, "copied": 20, "mapping_memory": 8},
        raidz_expand_stats=moving
        | {"name": "raidz1", "expanding_vdev": 0, "to_reflow": 80, "reflowed": 10, "waiting_for_resilver": 1},
        checkpoint_stats={"state": "EXISTS", "start_time": 1795263737, "space": 4096},
    )
    when = "2026-11-21T12:22:17+00:00"
    assert pool.removal == Removal(
        state="SCANNING",
        vdev="mirror-1",
        started=when,
        total_bytes=50,
        copied_bytes=20,
        mapping_memory_bytes=8,
    )
    assert pool.expansion == Expansion(
        state="SCANNING", vdev="raidz1-0", started=when, total_bytes=80, copied_bytes=10, waiting=True
    )
    assert pool.checkpoint == Checkpoint(state="EXISTS", taken=when, size_bytes=4096)


def test_a_leaf_reports_its_trim_and_initialization_and_of_itself() -> None:
    report = {
        "phys_space": 3000, "slow_ios": 4, "checksum_errors": 9, "scan_processed": 12, "self_healed": 3,
        "configured_ashift": 9, "physical_ashift": 12, "trim_state": "SUSPENDED", "trimmed": 10,
        "to_trim": 30, "trim_time": 1795263737, "trim_errors": 1, "trim_notsup": 0, "init_state": "COMPLETE",
        "initialized": 30, "to_initialize": 30, "init_time": 1795263737, "init_errors": 0,
    }  # fmt: skip
    leaf = next(leaves(_pool(leaf=report).vdevs[0]))
    assert (leaf.size_bytes, leaf.slow_ios, leaf.checksum_errors, leaf.scanned_bytes) == (3000, 4, 9, 12)
    assert (leaf.self_healed_bytes, leaf.ashift, leaf.physical_ashift, leaf.trims) == (3, 9, 12, True)
    when = "2026-11-21T12:22:17+00:00"
    assert leaf.trim == Filling(state="SUSPENDED", done_bytes=10, total_bytes=30, changed=when, errors=1)
    assert leaf.initialize == Filling(state="COMPLETE", done_bytes=30, total_bytes=30, changed=when)


def test_a_leaf_that_was_never_trimmed_or_cannot_be_says_so() -> None:
    never = {"trim_state": "UNTRIMMED", "trim_notsup": 0, "init_state": "UNINITIALIZED"}
    leaf = next(leaves(_pool(leaf=never).vdevs[0]))
    assert (leaf.trim, leaf.trims, leaf.initialize) == (None, True, None)
    leaf = next(leaves(_pool(leaf={"trim_notsup": 1}).vdevs[0]))
    assert leaf.trims is False
    assert next(leaves(_pool().vdevs[0])).trims is None


def test_features_settings_and_errata_are_named() -> None:
    settings = {
        "feature@async_destroy": "enabled", "feature@draid": "disabled", "feature@lz4_compress": "active",
        "unsupported@com.example:newer": "inactive", "compatibility": "off", "readonly": "on",
        "multihost": "on", "comment": "attic", "cachefile": "none", "altroot": "-",
    }  # fmt: skip
    pool = _pool(settings=settings, msgid="ZFS-8000-ER", errlist=["tank/a:/b", "tank/a:<0x1>"])
    assert pool.features == {"async_destroy": "enabled", "draid": "disabled", "lz4_compress": "active"}
    assert (pool.to_upgrade, pool.unsupported_features) == (("draid",), ("com.example:newer",))
    assert (pool.readonly, pool.multihost, pool.comment, pool.cachefile, pool.altroot) == (
        True, True, "attic", "none", None,
    )  # fmt: skip
    assert pool.has_errata
    assert pool.damaged_files == ("tank/a:/b", "tank/a:<0x1>")
    held = _pool(settings=settings | {"compatibility": "openzfs-2.1-linux"})
    assert held.to_upgrade == ()


IOSTAT = (
    "tank\t123\t456\t10\t20\t1000\t2000\t7\t8\t5\t6\t1\t2\t3\t4\t9\t-\t-\n"
    f"{GUID}\t-\t-\t0\t0\t0\t0" + "\t-" * 11 + "\n\nlogs\n"
)


def test_live_figures_are_read_by_guid() -> None:
    whole, leaf = parse_zpool_iostat(IOSTAT)
    assert (whole.guid, whole.allocated_bytes, whole.free_bytes) == (None, 123, 456)
    assert (whole.reads_per_s, whole.writes_per_s) == (10, 20)
    assert (whole.read_bytes_per_s, whole.write_bytes_per_s) == (1000, 2000)
    assert (whole.read_ns, whole.write_ns, whole.disk_read_ns, whole.disk_write_ns) == (7, 8, 5, 6)
    assert (whole.sync_read_ns, whole.sync_write_ns, whole.async_read_ns, whole.async_write_ns) == (
        1,
        2,
        3,
        4,
    )
    assert (whole.scrub_ns, whole.trim_ns, whole.rebuild_ns) == (9, None, None)
    assert (leaf.guid, leaf.allocated_bytes, leaf.reads_per_s, leaf.read_ns) == (str(GUID), None, 0, None)


@pytest.mark.parametrize("text", ["", "no pools available\n", "tank\t1\t2\t3\n"])
def test_other_lines_are_no_figures(text: str) -> None:
    assert parse_zpool_iostat(text) == ()
