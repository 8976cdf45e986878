"""What `zpool status` says of a simulated pool in words, and of work that takes long."""

from __future__ import annotations

import time
from typing import Any

from host.simulated.pools.clock import filled, moved, scanned
from host.simulated.state import Filling, Move, Pool, Vdev
from host.simulated.vdevs import all_leaves

Node = dict[str, Any]
_MSG = "https://openzfs.github.io/openzfs-docs/msg/"
_CHECKPOINT_BYTES = 1 << 20
# Texts as zpool prints them, a missing quotation mark included.
_SURVIVES = "\tSufficient replicas exist for the pool to continue functioning in a\n\tdegraded state.\n"
_SUSPENDED = (
    "One or more devices are faulted in response to IO failures.\n",
    "Make sure the affected devices are connected, then run 'zpool clear'.\n",
    "ZFS-8000-HC",
)
_RESILVERING = (
    (
        "One or more devices is currently being resilvered.  The pool will\n"
        "\tcontinue to function, possibly in a degraded state.\n"
    ),
    "Wait for the resilver to complete.\n",
    None,
)
_FAULTED = (
    f"One or more devices are faulted in response to persistent errors.\n{_SURVIVES}",
    "Replace the faulted device, or use 'zpool clear' to mark the device\n\trepaired.\n",
    None,
)
_CORRUPT = (
    (
        "One or more devices has experienced an error resulting in data\n"
        "\tcorruption.  Applications may be affected.\n"
    ),
    "Restore the file in question if possible.  Otherwise restore the\n\tentire pool from backup.\n",
    "ZFS-8000-8A",
)
_MISSING = (
    (
        "One or more devices could not be opened.  Sufficient replicas exist for\n"
        "\tthe pool to continue functioning in a degraded state.\n"
    ),
    "Attach the missing device and online it using 'zpool online'.\n",
    "ZFS-8000-2Q",
)
_FAILING = (
    (
        "One or more devices has experienced an unrecoverable error.  An\n"
        "\tattempt was made to correct the error.  Applications are unaffected.\n"
    ),
    (
        "Determine if the device needs to be replaced, and clear the errors\n"
        "\tusing 'zpool clear' or replace the device with 'zpool replace'.\n"
    ),
    "ZFS-8000-9P",
)
_OFFLINE = (
    f"One or more devices has been taken offline by the administrator.\n{_SURVIVES}",
    "Online the device using 'zpool online' or replace the device with\n\t'zpool replace'.\n",
    None,
)
_REMOVED = (
    f"One or more devices have been removed.\n{_SURVIVES}",
    "Online the device using zpool online' or replace the device with\n\t'zpool replace'.\n",
    None,
)
_OLD = (
    (
        "Some supported and requested features are not enabled on the pool.\n"
        "\tThe pool can still be used, but some features are unavailable.\n"
    ),
    (
        "Enable all features using 'zpool upgrade'. Once this is done,\n"
        "\tthe pool may no longer be accessible by software that does not support\n"
        "\tthe features. See zpool-features(7) for details.\n"
    ),
    None,
)


def condition(pool: Pool) -> Node:
    """What is wrong and what to do, in the order in which ZFS checks it; nothing if all is well."""
    states = {leaf.state for leaf in all_leaves(pool) if leaf.role != "spare"}
    errors = any(one.read_errors or one.write_errors or one.checksum_errors for one in all_leaves(pool))
    resilvering = pool.scan and pool.scan.function == "RESILVER" and pool.scan.state == "SCANNING"
    cases = (
        (pool.suspended, _SUSPENDED),
        (resilvering, _RESILVERING),
        ("FAULTED" in states, _FAULTED),
        (pool.damaged, _CORRUPT),
        ("UNAVAIL" in states, _MISSING),
        (errors, _FAILING),
        ("OFFLINE" in states, _OFFLINE),
        ("REMOVED" in states, _REMOVED),
        (pool.disabled and pool.values.get("compatibility", "off") == "off", _OLD),
    )
    for applies, (status, action, msgid) in cases:
        if applies:
            link = {"msgid": msgid, "moreinfo": f"{_MSG}{msgid}"} if msgid else {}
            return {"status": status, "action": action} | link
    return {}


def progress(pool: Pool) -> Node:
    """Scan, removal, checkpoint and expansion, where there is or was one."""
    found: Node = {}
    if pool.scan:
        found["scan_stats"] = _scan(pool)
    if pool.removal:
        stats = _move(pool, pool.removal, "removing_vdev", "to_copy", "copied")
        found["removal_stats"] = stats | {"mapping_memory": 0}
    if pool.checkpoint:
        taken = int(pool.checkpoint.taken)
        found["checkpoint_stats"] = {"state": "EXISTS", "start_time": taken, "space": _CHECKPOINT_BYTES}
    if pool.expansion:
        stats = _move(pool, pool.expansion, "expanding_vdev", "to_reflow", "reflowed")
        found["raidz_expand_stats"] = stats | {"waiting_for_resilver": 0}
    return found


def _scan(pool: Pool) -> Node:
    scan = pool.scan
    if scan is None:
        return {}
    done = scanned(pool, scan, time.time())
    processed = done if scan.function == "RESILVER" else scan.repaired
    return {
        "function": scan.function, "state": scan.state, "start_time": int(scan.started),
        "end_time": int(scan.finished), "to_examine": scan.total, "examined": done, "skipped": 0,
        "processed": processed, "errors": 0, "bytes_per_scan": 0, "pass_start": int(scan.since),
        "scrub_pause": int(scan.paused), "scrub_spent_paused": int(scan.paused_s),
        "issued_bytes_per_scan": done, "issued": done,
    }  # fmt: skip


def _move(pool: Pool, move: Move, place: str, whole: str, part: str) -> Node:
    gone = move is pool.removal and move.state == "FINISHED"
    kind, _, index = move.name.rpartition("-")
    name = move.name if move.name.startswith("/") else kind
    number = next((n for n, vdev in enumerate(pool.vdevs) if vdev.guid == move.guid), int(index or 0))
    return {
        "name": "indirect" if gone else name, "state": move.state, place: number,
        "start_time": int(move.started),
        "end_time": int(move.finished), whole: move.total, part: moved(pool, move, time.time()),
    }  # fmt: skip


def fillings(leaf: Vdev, *, trims: bool) -> Node:
    """The last initialization and trim of a leaf."""
    found: Node = {"init_state": "UNINITIALIZED"}
    if leaf.initialize:
        found = _filling(leaf, leaf.initialize, "init", "initialized", "to_initialize")
    if trims:
        found |= (
            _filling(leaf, leaf.trim, "trim", "trimmed", "to_trim")
            if leaf.trim
            else {"trim_state": "UNTRIMMED"}
        )
    return found | {"trim_notsup": 0 if trims else 1}


def _filling(leaf: Vdev, filling: Filling, word: str, done: str, whole: str) -> Node:
    return {
        f"{word}_state": filling.state, done: filled(leaf, filling, time.time()), whole: leaf.size,
        f"{word}_time": int(filling.since), f"{word}_errors": 0,
    }  # fmt: skip
