"""The properties of pools that can be set, as OpenZFS 2.3."""

from __future__ import annotations

from host.simulated.datasets.properties import BadProperty
from host.simulated.refusal import Refusal

_WORDS = {
    "autoexpand": "on | off",
    "autoreplace": "on | off",
    "autotrim": "on | off",
    "delegation": "on | off",
    "failmode": "wait | continue | panic",
    "listsnapshots": "on | off",
    "multihost": "on | off",
}
_TEXTS = {"comment", "cachefile", "compatibility", "bootfs", "altroot", "dedup_table_quota"}
_LONGEST_COMMENT = 32
FEATURES = (
    "async_destroy", "empty_bpobj", "lz4_compress", "multi_vdev_crash_dump", "spacemap_histogram",
    "enabled_txg", "hole_birth", "extensible_dataset", "embedded_data", "bookmarks",
    "filesystem_limits", "large_blocks", "large_dnode", "sha512", "skein", "edonr",
    "userobj_accounting", "encryption", "project_quota", "device_removal", "obsolete_counts",
    "zpool_checkpoint", "spacemap_v2", "allocation_classes", "resilver_defer", "bookmark_v2",
    "redaction_bookmarks", "redacted_datasets", "bookmark_written", "log_spacemap", "livelist",
    "device_rebuild", "zstd_compress", "draid", "zilsaxattr", "head_errlog", "blake3", "block_cloning",
    "vdev_zaps_v2", "redaction_list_spill", "raidz_expansion", "fast_dedup", "longname",
    "large_microzap",
)  # fmt: skip


def exists(name: str) -> bool:
    """Whether a pool has a property of that name that can be set, feature flags included."""
    flag = name.startswith("feature@") and name.removeprefix("feature@") in FEATURES
    return flag or name in _WORDS or name in _TEXTS or name == "ashift"


def check_known(properties: dict[str, str]) -> int | None:
    """What the program itself checks first. Returns the ashift asked for."""
    for name in sorted(properties):
        if not exists(name):
            raise Refusal(f"property '{name}' is not a valid pool or vdev property\n")
    if "ashift" not in properties:
        return None
    text = properties["ashift"]
    if not text.isdecimal():
        raise Refusal(f"invalid 'ashift={text}' property: bad numeric value '{text}'.\n")
    if int(text) != 0 and not 9 <= int(text) <= 16:
        raise Refusal(f"invalid 'ashift={text}' property: only values between 9 and 16 are allowed.\n")
    return int(text) or None


def checked(name: str, value: str) -> str:
    """`value` as zpool shows it. Raises `BadProperty`."""
    if name in _WORDS and value not in _WORDS[name].split(" | "):
        raise BadProperty(f"'{name}' must be one of '{_WORDS[name]}'")
    if name.startswith("feature@") and value not in {"enabled", "disabled"}:
        raise BadProperty(f"property '{name}' can only be set to 'enabled' or 'disabled'")
    if name == "cachefile" and value not in {"", "none"} and not value.startswith("/"):
        raise BadProperty(f"property '{name}' must be empty, an absolute path, or 'none'")
    if name == "comment" and len(value) > _LONGEST_COMMENT:
        raise BadProperty(f"comment must not exceed {_LONGEST_COMMENT} characters")
    return value
