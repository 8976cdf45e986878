"""Since when a feature of pools is known, and what can no longer read a pool that uses it.

The release of a feature: OpenZFS' own lists under cmd/zpool/compatibility.d (zol-0.6.5 to openzfs-2.4).
What a system ships: the packages of Debian and Ubuntu, and FreeBSD's release notes.
"""

from __future__ import annotations

from collections.abc import Iterable

Release = tuple[int, int]

_SINCE: dict[Release, tuple[str, ...]] = {
    (0, 6): (
        "async_destroy", "bookmarks", "embedded_data", "empty_bpobj", "enabled_txg", "extensible_dataset",
        "filesystem_limits", "hole_birth", "large_blocks", "lz4_compress", "spacemap_histogram",
    ),
    (0, 7): (
        "edonr", "large_dnode", "multi_vdev_crash_dump", "sha512", "skein", "userobj_accounting",
    ),
    (0, 8): (
        "allocation_classes", "bookmark_v2", "device_removal", "encryption", "obsolete_counts",
        "project_quota", "resilver_defer", "spacemap_v2", "zpool_checkpoint",
    ),
    (2, 0): (
        "bookmark_written", "device_rebuild", "livelist", "log_spacemap", "redacted_datasets",
        "redaction_bookmarks", "zstd_compress",
    ),
    (2, 1): ("draid",),
    (2, 2): ("blake3", "block_cloning", "head_errlog", "vdev_zaps_v2", "zilsaxattr"),
    (2, 3): ("fast_dedup", "large_microzap", "longname", "raidz_expansion", "redaction_list_spill"),
    (2, 4): ("block_cloning_endian", "dynamic_gang_header", "physical_rewrite"),
}  # fmt: skip
_SHIPS: tuple[tuple[str, Release], ...] = (
    ("Debian 11", (2, 0)), ("Debian 12", (2, 1)), ("Debian 13", (2, 3)),
    ("Ubuntu 20.04", (0, 8)), ("Ubuntu 22.04", (2, 1)), ("Ubuntu 24.04", (2, 2)),
    ("FreeBSD 13", (2, 1)), ("FreeBSD 14", (2, 2)),
)  # fmt: skip
_RELEASE_OF = {feature: release for release, features in _SINCE.items() for feature in features}


def since(feature: str) -> str | None:
    """The first OpenZFS release that knows `feature`, such as `2.2`; None where that is not known here."""
    release = _RELEASE_OF.get(feature)
    return None if release is None else _text(release)


def first_reader(features: Iterable[str]) -> str | None:
    """The first OpenZFS release that can read a pool which uses all of `features`; None if one is unknown."""
    found = [_RELEASE_OF.get(feature) for feature in features]
    known = [release for release in found if release is not None]
    return _text(max(known)) if known and len(known) == len(found) else None


def shut_out(features: Iterable[str]) -> tuple[str, ...]:
    """Systems whose OpenZFS is older than the newest of `features`."""
    newest = max((_RELEASE_OF[feature] for feature in features if feature in _RELEASE_OF), default=(0, 0))
    return tuple(system for system, release in _SHIPS if release < newest)


def _text(release: Release) -> str:
    return f"{release[0]}.{release[1]}"
