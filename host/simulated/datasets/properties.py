"""The properties of datasets: order, defaults, which are inherited, and what may be set, as OpenZFS 2.3."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Kind = Literal["filesystem", "volume"]
_UNITS = {unit: 1 << (10 * power) for power, unit in enumerate("BKMGTPEZ")}
_NUMBER = re.compile(r"(\d+)(\.\d+)?(?:([BKMGTPEZ])(?:I?B)?)?", re.IGNORECASE)
_SWITCH = "on | off"
_COMPRESSION = (
    "on | off | lzjb | gzip | gzip-[1-9] | zle | lz4 | zstd | zstd-[1-19] | zstd-fast | "
    "zstd-fast-[1-10,20,30,40,50,60,70,80,90,100,500,1000]"
)
_COMPRESSED = re.compile(
    r"on|off|lzjb|gzip(-[1-9])?|zle|lz4|zstd(-([1-9]|1[0-9]))?|zstd-fast(-([1-9]|[1-9]0|100|500|1000))?"
)
_DEDUP = (
    "on | off | verify | sha256[,verify] | sha512[,verify] | skein[,verify] | edonr,verify | blake3[,verify]"
)
_DEDUPED = re.compile(r"on|off|verify|edonr,verify|(sha256|sha512|skein|blake3)(,verify)?")
_CHECKSUM = "on | off | fletcher2 | fletcher4 | sha256 | sha512 | skein | edonr | blake3"
_CACHE = "all | none | metadata"
_SYNC = "standard | always | disabled"
_DNODE = "legacy | auto | 1k | 2k | 4k | 8k | 16k"
_ACLINHERIT = "discard | noallow | restricted | passthrough | passthrough-x"
_VOLMODE = "default | full | geom | dev | none"
_SPELLINGS = {
    "xattr": {"sa": "on"},
    "acltype": {"posixacl": "posix", "noacl": "off"},
    "compression": {"gzip-6": "gzip"},
}


class Property(NamedTuple):
    """One native property. `default` None: it is computed. `rule` None: nobody can set it."""

    name: str
    kinds: str  # f, v or fv
    default: str | None
    rule: str | None = None  # words between bars, or size, count, power, mountpoint, text
    inherited: bool = False
    once: bool = False  # only at creation; shown without a source


class BadProperty(Exception):
    """A property cannot be set so; the text is what follows the colon in zfs' message."""


def _p(name: str, kinds: str, default: str | None, rule: str | None = None, flags: str = "") -> Property:
    return Property(name, kinds, default, rule, "i" in flags, "o" in flags)


NATIVE: tuple[Property, ...] = (
    _p("type", "fv", None), _p("creation", "fv", None), _p("used", "fv", None), _p("available", "fv", None),
    _p("referenced", "fv", None), _p("compressratio", "fv", None), _p("mounted", "f", None),
    _p("origin", "fv", None), _p("quota", "f", "0", "size"), _p("reservation", "fv", "0", "size"),
    _p("volsize", "v", None, "size"), _p("volblocksize", "v", None, "power", "o"),
    _p("recordsize", "f", "131072", "power", "i"), _p("mountpoint", "f", None, "mountpoint", "i"),
    _p("sharenfs", "f", "off", "text", "i"), _p("checksum", "fv", "on", _CHECKSUM, "i"),
    _p("compression", "fv", "on", _COMPRESSION, "i"), _p("atime", "f", "on", _SWITCH, "i"),
    _p("devices", "f", "on", _SWITCH, "i"), _p("exec", "f", "on", _SWITCH, "i"),
    _p("setuid", "f", "on", _SWITCH, "i"), _p("readonly", "fv", "off", _SWITCH, "i"),
    _p("zoned", "f", "off", _SWITCH, "i"), _p("snapdir", "f", "hidden", "disabled | hidden | visible", "i"),
    _p("aclmode", "f", "discard", "discard | groupmask | passthrough | restricted", "i"),
    _p("aclinherit", "f", "restricted", _ACLINHERIT, "i"), _p("createtxg", "fv", None),
    _p("canmount", "f", "on", "on | off | noauto"), _p("xattr", "f", "on", "on | off | dir | sa", "i"),
    _p("copies", "fv", "1", "1 | 2 | 3", "i"), _p("version", "f", None, "count"),
    _p("utf8only", "f", "off", _SWITCH, "o"),
    _p("normalization", "f", "none", "none | formC | formD | formKC | formKD", "o"),
    _p("casesensitivity", "f", "sensitive", "sensitive | insensitive | mixed", "o"),
    _p("vscan", "f", "off", _SWITCH, "i"), _p("nbmand", "f", "off", _SWITCH, "i"),
    _p("sharesmb", "f", "off", "text", "i"), _p("refquota", "f", "0", "size"),
    _p("refreservation", "fv", "0", "size"), _p("guid", "fv", None),
    _p("primarycache", "fv", "all", _CACHE, "i"), _p("secondarycache", "fv", "all", _CACHE, "i"),
    _p("usedbysnapshots", "fv", None), _p("usedbydataset", "fv", None), _p("usedbychildren", "fv", None),
    _p("usedbyrefreservation", "fv", None), _p("logbias", "fv", "latency", "latency | throughput", "i"),
    _p("objsetid", "fv", None), _p("dedup", "fv", "off", _DEDUP, "i"),
    _p("mlslabel", "fv", "none", "text", "i"), _p("sync", "fv", "standard", _SYNC, "i"),
    _p("dnodesize", "f", "legacy", _DNODE, "i"), _p("refcompressratio", "fv", None),
    _p("written", "fv", None), _p("logicalused", "fv", None), _p("logicalreferenced", "fv", None),
    _p("volmode", "fv", "default", _VOLMODE, "i"), _p("filesystem_limit", "f", "none", "count"),
    _p("snapshot_limit", "fv", "none", "count"), _p("filesystem_count", "f", "none"),
    _p("snapshot_count", "fv", "none"), _p("snapdev", "fv", "hidden", "hidden | visible", "i"),
    _p("acltype", "f", "off", "off | nfsv4 | posix", "i"), _p("context", "fv", "none", "text"),
    _p("fscontext", "fv", "none", "text"), _p("defcontext", "fv", "none", "text"),
    _p("rootcontext", "fv", "none", "text"), _p("relatime", "f", "on", _SWITCH, "i"),
    _p("redundant_metadata", "fv", "all", "all | most | some | none", "i"),
    _p("overlay", "f", "on", _SWITCH, "i"), _p("encryption", "fv", "off", None),
    _p("keylocation", "fv", "none", None), _p("keyformat", "fv", "none", None),
    _p("pbkdf2iters", "fv", "0", None), _p("encryptionroot", "fv", None),
    _p("keystatus", "fv", None), _p("special_small_blocks", "f", "0", "power0", "i"),
    _p("snapshots_changed", "fv", None), _p("prefetch", "fv", "all", _CACHE, "i"),
    _p("direct", "f", "standard", "disabled | standard | always", "i"),
    _p("longname", "f", "off", _SWITCH, "i"), _p("volthreading", "v", "on", _SWITCH),
)  # fmt: skip
BY_NAME = {entry.name: entry for entry in NATIVE}


def is_user(name: str) -> bool:
    """User properties have a colon in their name."""
    return ":" in name


def checked(name: str, value: str, kind: Kind, *, creating: bool = False) -> str:
    """`value` as zfs shows it. Raises `BadProperty` in zfs' words."""
    if is_user(name):
        return value
    entry = BY_NAME.get(name)
    if entry is None:
        raise BadProperty(f"invalid property '{name}'")
    if kind[0] not in entry.kinds:
        raise BadProperty(f"'{name}' does not apply to datasets of this type")
    if entry.rule is None or (entry.once and not creating):
        raise BadProperty(f"'{name}' is readonly")
    if (name, value, kind) == ("refreservation", "auto", "filesystem"):
        raise BadProperty("'refreservation=auto' only allowed on volumes")
    return _canonical(name, value, entry.rule)


def _canonical(name: str, value: str, rule: str) -> str:
    match rule:
        case "text":
            return value
        case "size":
            if value == "auto" and name == "refreservation":
                return value
            number = 0 if value == "none" else parse_size(value)
            if number == 0 and value != "none" and name in {"quota", "refquota"}:
                raise BadProperty("use 'none' to disable quota/refquota")
            return str(number)
        case "count":
            return value if value == "none" else str(parse_size(value))
        case "power" | "power0":
            return str(_power_of_two(name, parse_size(value), zero=rule == "power0"))
        case "mountpoint":
            if value not in {"none", "legacy"} and not value.startswith("/"):
                raise BadProperty("'mountpoint' must be an absolute path, 'none', or 'legacy'")
            return value
        case _:
            return _word(name, value, rule)


def _word(name: str, value: str, rule: str) -> str:
    spelled = _SPELLINGS.get(name, {}).get(value, value)
    pattern = {"compression": _COMPRESSED, "dedup": _DEDUPED}.get(name)
    if not (pattern.fullmatch(value) if pattern else spelled in rule.split(" | ")):
        raise BadProperty(f"'{name}' must be one of '{rule}'")
    return spelled


def _power_of_two(name: str, size: int, *, zero: bool) -> int:
    if zero and size == 0:
        return 0
    if not 512 <= size <= 16 << 20 or size & (size - 1):
        if zero:
            raise BadProperty(
                f"invalid '{name}={size}' property: must be zero or a power of 2 from 512B to 16M"
            )
        raise BadProperty(f"'{name}' must be power of 2 from 512B to 16M")
    return size


def parse_size(text: str) -> int:
    """`1.5G` → bytes, as zfs reads numbers. Raises `BadProperty`."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise BadProperty(f"bad numeric value '{text}'")
    whole, fraction, unit = found[1], found[2] or "", (found[3] or "B").upper()
    size = int(float(whole + fraction) * _UNITS[unit]) if fraction else int(whole) * _UNITS[unit]
    if size >= 1 << 64:
        raise BadProperty("numeric value is too large")
    return size
