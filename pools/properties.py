"""Which properties can be set and to what (man zfsprops, man zpoolprops, OpenZFS 2.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from jobs.findings import Findings
from pools.names import mountpoint_fault

Kind = Literal["filesystem", "volume"]
_USER = re.compile(r"[a-z0-9][a-z0-9_.\-]*:[a-z0-9_.:\-]*")
_SIZE = re.compile(r"[0-9]+(\.[0-9]+)?([KMGTPE]i?B?|B)?", re.IGNORECASE)
_LONGEST_VALUE = 8191  # ZAP_MAXVALUELEN less its end


def _words(*allowed: str) -> Callable[[str], str | None]:
    said = ", ".join(allowed)
    return lambda value: None if value in allowed else f"Allowed are {said}."


def _size(value: str) -> str | None:
    return None if value == "none" or _SIZE.fullmatch(value) else "Give bytes, or a number with K, M, G or T."


def _count(value: str) -> str | None:
    return None if value == "none" or value.isdecimal() else "Give a whole number, or none."


def _compression(value: str) -> str | None:
    plain = {"on", "off", "lz4", "lzjb", "zle", "gzip", "zstd", "zstd-fast"}
    if value in plain or re.fullmatch(r"gzip-[1-9]|zstd-([1-9]|1[0-9])", value):
        return None
    if re.fullmatch(r"zstd-fast-([1-9]|[1-9]0|100|500|1000)", value):
        return None
    return (
        "Allowed are lz4, zstd, zstd-1 to zstd-19, zstd-fast, gzip, gzip-1 to gzip-9, zle, lzjb, on and off."
    )


def _power(low: int, high: int) -> Callable[[str], str | None]:
    def fault(value: str) -> str | None:
        found = re.fullmatch(r"([0-9]+)([KM]?)", value.upper())
        size = int(found[1][:12]) * {"": 1, "K": 1 << 10, "M": 1 << 20}[found[2]] if found else 0
        return None if low <= size <= high and size & (size - 1) == 0 else f"A power of two, {low} to {high}."

    return fault


def _anything(value: str) -> str | None:
    return None


_SWITCH = _words("on", "off")
_CHECKSUMS = ("on", "off", "fletcher2", "fletcher4", "sha256", "sha512", "skein", "edonr", "blake3")
_VERIFIED = ("on", "off", "verify", "sha256", "sha256,verify", "sha512", "sha512,verify", "skein",
             "skein,verify", "edonr,verify", "blake3", "blake3,verify")  # fmt: skip
_BOTH: dict[str, Callable[[str], str | None]] = {
    "checksum": _words(*_CHECKSUMS),
    "compression": _compression,
    "copies": _words("1", "2", "3"),
    "dedup": _words(*_VERIFIED),
    "logbias": _words("latency", "throughput"),
    "prefetch": _words("all", "none", "metadata"),
    "primarycache": _words("all", "none", "metadata"),
    "readonly": _SWITCH,
    "redundant_metadata": _words("all", "most", "some", "none"),
    "refreservation": lambda value: None if value == "auto" else _size(value),
    "reservation": _size,
    "secondarycache": _words("all", "none", "metadata"),
    "snapdev": _words("hidden", "visible"),
    "snapshot_limit": _count,
    "sync": _words("standard", "always", "disabled"),
    "volmode": _words("default", "full", "geom", "dev", "none"),
}
_FILESYSTEM: dict[str, Callable[[str], str | None]] = {
    "aclinherit": _words("discard", "noallow", "restricted", "passthrough", "passthrough-x"),
    "aclmode": _words("discard", "groupmask", "passthrough", "restricted"),
    "acltype": _words("off", "posix", "posixacl", "nfsv4", "noacl"),
    "atime": _SWITCH,
    "canmount": _words("on", "off", "noauto"),
    "casesensitivity": _words("sensitive", "insensitive", "mixed"),
    "devices": _SWITCH,
    "direct": _words("disabled", "standard", "always"),
    "dnodesize": _words("legacy", "auto", "1k", "2k", "4k", "8k", "16k"),
    "exec": _SWITCH,
    "filesystem_limit": _count,
    "mountpoint": mountpoint_fault,
    "nbmand": _SWITCH,
    "normalization": _words("none", "formC", "formD", "formKC", "formKD"),
    "overlay": _SWITCH,
    "quota": _size,
    "recordsize": _power(512, 16 << 20),
    "refquota": _size,
    "relatime": _SWITCH,
    "setuid": _SWITCH,
    "snapdir": _words("hidden", "visible", "disabled"),
    "special_small_blocks": lambda value: None if value == "0" else _power(512, 16 << 20)(value),
    "utf8only": _SWITCH,
    "vscan": _SWITCH,
    "xattr": _words("on", "off", "sa", "dir"),
    "zoned": _SWITCH,
}
_VOLUME: dict[str, Callable[[str], str | None]] = {
    "volblocksize": _power(512, 128 << 10),
    "volsize": _size,
}
_ONLY_AT_CREATION = {"casesensitivity", "normalization", "utf8only", "volblocksize"}
# `zfs inherit` refuses these; what takes them back to the default is setting that. A volume's size has none.
DEFAULT_OF_NOT_INHERITABLE: dict[str, str | None] = {
    "canmount": "on",
    "filesystem_limit": "none",
    "quota": "none",
    "refquota": "none",
    "refreservation": "none",
    "reservation": "none",
    "snapshot_limit": "none",
    "volsize": None,
}
# Flags of a mount. zfs mounts anew the one file system whose property is set; those that inherit it keep the
# flags that they were mounted with. Turning atime off and readonly on takes effect at once all the same: the
# file system heeds these itself (OpenZFS 2.3 on Linux: zfs_is_namespace_prop; zfs_vfsops.c, *_changed_cb).
_MOUNT_KEEPS: dict[str, set[str]] = {
    "atime": {"on"},
    "devices": {"on", "off"},
    "exec": {"on", "off"},
    "readonly": {"off"},
    "setuid": {"on", "off"},
}
_POOL: dict[str, Callable[[str], str | None]] = {
    "autoexpand": _SWITCH,
    "autoreplace": _SWITCH,
    "autotrim": _SWITCH,
    "comment": lambda value: None if len(value) <= 32 else "At most 32 characters.",
    "delegation": _SWITCH,
    "failmode": _words("wait", "continue", "panic"),
    "listsnapshots": _SWITCH,
    "multihost": _SWITCH,
}


def check_properties(
    wanted: Mapping[str, str | None],
    field: str,
    findings: Findings,
    *,
    kind: Kind,
    existing: bool = False,
) -> None:
    """Adds a finding for each property that a dataset of `kind` cannot have set. None means inherit."""
    rules = _rules(kind)
    for name, value in wanted.items():
        where = f"{field}.{name[:60]}"
        rule = _anything if _USER.fullmatch(name) and len(name) <= 255 else rules.get(name)
        if rule is None:
            message = f"A {kind} has no property “{name[:60]}” that can be set."
            findings.error("unknown-property", where, message)
        elif existing and name in _ONLY_AT_CREATION:
            findings.error("creation-only", where, f"{name} can only be chosen when a dataset is created.")
        elif value is None and DEFAULT_OF_NOT_INHERITABLE.get(name, "") is None:
            findings.error("no-default", where, f"{name} has no default to go back to.")
        elif value is not None and (fault := _value_fault(value, rule)):
            findings.error("bad-value", where, fault)


def applies(name: str, kind: Kind) -> bool:
    """Whether a dataset of `kind` has the property, or can have it where users made it up."""
    return name in _rules(kind) or _USER.fullmatch(name) is not None


def waits_for_mount(name: str, value: str | None) -> bool:
    """Whether a mounted file system that inherits `value` (None: default) heeds it only when remounted."""
    return name in _MOUNT_KEEPS and (value is None or value in _MOUNT_KEEPS[name])


def check_pool_properties(wanted: Mapping[str, str], field: str, findings: Findings) -> None:
    """Adds a finding for each property that a new pool cannot have set."""
    for name, value in wanted.items():
        where = f"{field}.{name[:60]}"
        if name == "ashift":
            findings.error("wrong-place", where, "ashift has its own field beside the name.")
        elif name not in _POOL:
            known = ", ".join(sorted(_POOL))
            findings.error("unknown-property", where, f"A pool has no such property; known are {known}.")
        elif fault := _value_fault(value, _POOL[name]):
            findings.error("bad-value", where, fault)


def _rules(kind: Kind) -> dict[str, Callable[[str], str | None]]:
    return _BOTH | (_FILESYSTEM if kind == "filesystem" else _VOLUME)


def _value_fault(value: str, rule: Callable[[str], str | None]) -> str | None:
    if len(value) > _LONGEST_VALUE:
        return f"At most {_LONGEST_VALUE} characters."
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in value):
        return "Control characters are not allowed."
    return rule(value)
