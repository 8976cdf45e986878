"""Our file of smb.conf(5): which parameters may be in it, with which values."""

from __future__ import annotations

import re

from host.contents.places import place_fault
from host.contents.smb_names import comment_fault, interface_fault, netbios_fault, share_name_fault
from host.contents.smb_parameters import ALLOWED
from host.inventory.people import NAME_PATTERN

_YES_NO = "yes|no"
_GLOBAL = {
    "server min protocol": "SMB2_02|SMB3_00",
    "server signing": "mandatory|default",
    "disable netbios": "yes",
    "smb ports": "445",
    "map to guest": "Bad User|Never",
    "guest account": "nobody",
    "load printers": "no",
    "printing": "bsd",
    "printcap name": "/dev/null",
    "disable spoolss": "yes",
    "usershare max shares": "0",
    "bind interfaces only": "yes",
    "fruit:aapl": "yes",
    "fruit:model": "MacSamba",
}
_MODULE = "full_audit|recycle|catia|fruit|streams_xattr|shadow_copy2"
_SHARE = {
    "browseable": _YES_NO,
    "read only": _YES_NO,
    "guest ok": "yes",
    "root preexec close": "yes",
    "inherit acls": _YES_NO,
    "server smb encrypt": "off|desired|required",
    "case sensitive": _YES_NO,
    "wide links": "no",
    "vfs objects": f"(?:{_MODULE})(?: (?:{_MODULE}))*",
    "fruit:metadata": "stream",
    "fruit:nfs_aces": "no",
    "fruit:wipe_intentionally_left_blank_rfork": "yes",
    "fruit:delete_empty_adfiles": "yes",
    "fruit:time machine": "yes",
    "fruit:time machine max size": "[0-9]{1,15}G",
    "recycle:repository": r"\.recycle/%U",
    "recycle:keeptree": "yes",
    "recycle:versions": "yes",
    "recycle:directory_mode": "1777",
    "recycle:subdir_mode": "0700",
    "full_audit:prefix": r"%u\|%I\|%S",
    "full_audit:success": "unlinkat renameat",
    "full_audit:failure": "none",
    "full_audit:facility": "daemon",
    "full_audit:priority": "notice",
    "shadow:snapdir": r"\.zfs/snapshot",
    "shadow:snapprefix": r"\^auto-\[a-z\]\*\$",
    "shadow:delimiter": "_",
    "shadow:format": "_%Y-%m-%dT%H.%M.%SZ",
    "shadow:localtime": "no",
    "shadow:sort": "desc",
} | {name: one.pattern for name, one in ALLOWED.items()}
_HEADING = re.compile(r"\[(?P<name>[^\n]*)\]")
_LINE = re.compile(r" {4}(?P<name>[a-z][a-z0-9_: ]*[a-z0-9_]) = (?P<value>\S(?:.*\S)?)")
_COMMENT = re.compile(r"#[^\x00-\x1f\x7f\\]*")
_ACCOUNT = re.compile(NAME_PATTERN)


def check_command(place: str) -> str:
    """What smbd runs as root before a share is opened: it is not, where no file system is mounted there."""
    return f"/usr/bin/mountpoint -q '{place}'"


def make_command(place: str) -> str:
    """What smbd runs as root before somebody's own folder is opened: it makes it, and refuses a link, or
    all where no file system is mounted there.

    A program of ours, as smbd takes all signs from a line that a shell reads but for quotes. %U has none of
    them (smbd replaces them), and the folder is refused if it had.
    """
    return f"/usr/local/libexec/nasweb-own-folder '{place}' '%U'"


def fault(text: str) -> str | None:
    """The first thing that may not be in the file; None where all of it may."""
    section = ""
    values: dict[str, str] = {}
    seen: set[str] = set()
    for line in text.split("\n"):
        if not line or _COMMENT.fullmatch(line):
            continue
        if heading := _HEADING.fullmatch(line):
            if found := _section_fault(section, values) or _heading_fault(heading["name"], seen):
                return found
            section, values = heading["name"], {}
            seen.add(section.casefold())
        elif (said := _LINE.fullmatch(line)) is None or not section or said["name"] in values:
            return f"smb.conf may not hold the line “{line[:80]}”."
        else:
            values[said["name"]] = said["value"]
    return _section_fault(section, values)


def who_fault(name: str) -> str | None:
    """Why that names nobody who may use a share: a person, or a group with a leading @."""
    bare = name.removeprefix("@")
    good = _ACCOUNT.match(bare) and bare != "root"
    return None if good else f"“{name[:60]}” is no person or group of the shares."


def _heading_fault(name: str, seen: set[str]) -> str | None:
    if name.casefold() in seen:
        return f"smb.conf may not hold [{name[:80]}] twice."
    return None if name == "global" else share_name_fault(name)


def _section_fault(section: str, values: dict[str, str]) -> str | None:
    for name, value in values.items():
        good = _in_global(name, value) if section == "global" else _in_share(name, value, values)
        if not good:
            return f"[{section}] of smb.conf may not hold “{name} = {value[:80]}”."
    if section not in {"", "global"} and not {"root preexec", "root preexec close"} <= values.keys():
        return f"[{section}] of smb.conf does not ask whether its file system is mounted."
    return None


def _in_global(name: str, value: str) -> bool:
    if name in {"workgroup", "netbios name", "server string"}:
        return netbios_fault(value) is None
    if name == "interfaces":
        first, *others = value.split(" ")
        return first == "lo" and not any(interface_fault(one) for one in others)
    return name in _GLOBAL and re.fullmatch(_GLOBAL[name], value) is not None


def _in_share(name: str, value: str, values: dict[str, str]) -> bool:
    place = values.get("path", "")
    root = place.removesuffix("/%U")
    if name == "path":
        return place_fault(root) is None
    if name == "root preexec":
        return value == (check_command(root) if root == place else make_command(root))
    if name == "shadow:mountpoint":
        return value == root
    if name == "comment":
        return comment_fault(value) is None
    if name in {"valid users", "write list"}:
        return value == "root" or all(
            _ACCOUNT.match(one.removeprefix("+")) and one != "root" for one in value.split(", ")
        )
    return name in _SHARE and re.fullmatch(_SHARE[name], value) is not None
