"""Which properties of datasets can be set and to what.

Names, what can be edited and inherited, and allowed values are ZFS's own (`HostFacts.native`). What is here
is what its table does not tell: which kind of dataset has a property, spellings that it takes besides,
what lies outside its words, and what this console keeps for other forms.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from host.commands.datasets.settable import dataset_fault, may_be_set
from host.inventory import NativeProperty
from jobs.planning.findings import Findings
from pools.property_values import Rule, rule_of

Kind = Literal["filesystem", "volume"]
Native = tuple[NativeProperty, ...]
_USER = re.compile(r"[a-z0-9][a-z0-9_.\-]*:[a-z0-9_.:\-]*")
_NAME = re.compile(r"[a-z0-9_]{1,60}")
_LONGEST_VALUE = 8191  # ZAP_MAXVALUELEN less its end

# By `zfs get all` of a file system and of a volume.
_FILESYSTEMS_ONLY = {
    "aclinherit", "aclmode", "acltype", "atime", "canmount", "casesensitivity", "devices", "direct",
    "dnodesize", "exec", "filesystem_limit", "longname", "mountpoint", "nbmand", "normalization", "overlay",
    "quota", "recordsize", "refquota", "relatime", "setuid", "sharenfs", "sharesmb", "snapdir",
    "special_small_blocks", "utf8only", "version", "vscan", "xattr", "zoned",
}  # fmt: skip
_VOLUMES_ONLY = {"volblocksize", "volsize", "volthreading"}
# Spellings that are not in the table (man zfsprops, "acltype" and "refreservation").
_ALSO = {"acltype": frozenset({"posixacl", "noacl"}), "refreservation": frozenset({"auto"})}
# ZFS takes blocks of up to 16 MiB (zfs_max_recordsize), whatever its words for these say.
_LARGEST = {"recordsize": 16 << 20, "special_small_blocks": 16 << 20}
_ELSEWHERE = {
    "encryption": "Encryption is chosen in its own part of the form when a dataset is created.",
    "keyformat": "The kind of key is changed together with the key.",
    "keylocation": "Where the key comes from is changed together with the key.",
    "pbkdf2iters": "This is changed together with the key.",
    "sharenfs": "Datasets are shared under Shares, not by this property.",
    "sharesmb": "Datasets are shared under Shares, not by this property.",
}
# Whoever may set properties may not for that have policies delete snapshots, or take their mark off one.
_OWN = "nasweb:"
_OF_CONSOLE = (
    f"Names that begin with “{_OWN}” are the console's own. Snapshot policies are set on their page."
)
_DEFAULTS = {"canmount": "on", "volthreading": "on"}
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


def is_user(name: str) -> bool:
    """Whether it is a property that users make up: `module:property`, at most 255 characters."""
    return _USER.fullmatch(name) is not None and len(name) <= 255


def native(table: Native, name: str) -> NativeProperty | None:
    """The row of ZFS's table for `name`."""
    return next((entry for entry in table if entry.name == name), None)


def only_at_creation(entry: NativeProperty) -> bool:
    """Whether it can be chosen when a dataset is created, and never again."""
    return entry.inheritable and not entry.editable


def default_of_not_inheritable(entry: NativeProperty) -> str | None:
    """What setting takes a property back to its default that `zfs inherit` refuses; None without any."""
    return "none" if "none" in entry.values.split(" | ") else _DEFAULTS.get(entry.name)


def check_properties(
    wanted: Mapping[str, str | None],
    field: str,
    findings: Findings,
    *,
    kind: Kind,
    table: Native,
    existing: bool = False,
) -> None:
    """Adds a finding for each property that a dataset of `kind` cannot have set. None means inherit.

    While the table is not known, names and values are left to ZFS.
    """
    for name, value in wanted.items():
        where = f"{field}.{name[:60]}"
        entry = native(table, name)
        if is_own(name):
            findings.error("wrong-place", where, _OF_CONSOLE)
        elif name in _ELSEWHERE and value not in {None, "off"}:
            findings.error("wrong-place", where, _ELSEWHERE[name])
        elif is_user(name) or (not table and _NAME.fullmatch(name) and may_be_set(name)):
            if value is not None and (fault := _text_fault(value) or dataset_fault(name, value)):
                findings.error("bad-value", where, fault)
        elif entry is None or not _can_be_set(entry, kind):
            message = f"A {kind} has no property “{name[:60]}” that can be set."
            findings.error("unknown-property", where, message)
        elif existing and only_at_creation(entry):
            findings.error("creation-only", where, f"{name} can only be chosen when a dataset is created.")
        elif value is None and not entry.inheritable and default_of_not_inheritable(entry) is None:
            findings.error("no-default", where, f"{name} has no default to return to.")
        elif value is not None and (
            fault := _text_fault(value) or _rule(entry)(value) or dataset_fault(name, value)
        ):
            findings.error("bad-value", where, fault)


def is_own(name: str) -> bool:
    """Whether only the console sets it, by operations of its own."""
    return name.startswith(_OWN)


def settable(name: str, kind: Kind, table: Native) -> bool:
    """Whether the property of an existing dataset of `kind` can be changed here."""
    entry = native(table, name)
    if entry is None:
        return is_user(name) and not is_own(name)
    return entry.editable and _can_be_set(entry, kind) and name not in _ELSEWHERE


def applies(name: str, kind: Kind) -> bool:
    """Whether a dataset of `kind` has the property, or can have it where users made it up."""
    return name not in (_VOLUMES_ONLY if kind == "filesystem" else _FILESYSTEMS_ONLY)


def waits_for_mount(name: str, value: str | None) -> bool:
    """Whether a mounted file system that inherits `value` (None: default) heeds it only when remounted."""
    return name in _MOUNT_KEEPS and (value is None or value in _MOUNT_KEEPS[name])


def _can_be_set(entry: NativeProperty, kind: Kind) -> bool:
    chosen = entry.editable or only_at_creation(entry)
    return chosen and applies(entry.name, kind) and may_be_set(entry.name)


def _rule(entry: NativeProperty) -> Rule:
    also, largest = _ALSO.get(entry.name, frozenset()), _LARGEST.get(entry.name, 0)
    return rule_of(entry.values, also=also, largest=largest)


def _text_fault(value: str) -> str | None:
    if len(value) > _LONGEST_VALUE:
        return f"At most {_LONGEST_VALUE} characters."
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in value):
        return "Control characters are not allowed."
    return None
