"""Our file of smb.conf(5), from the rows: the same rows always make the same file.

Debian's own smb.conf includes it in its last line, so whatever stands there is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from host.contents.samba import check_command, make_command
from host.inventory import Inventory, Sharing, SharingSettings, SmbShare
from host.lines import lines
from shares.sealing import sealed
from shares.serving import standing

_ENCRYPTION = {"off": "off", "offered": "desired", "required": "required"}
_GIB = 1 << 30
# What policies call their snapshots (pools.policies.rules.names): auto-hourly_2026-11-21T14.00.00Z
_SNAPSHOTS = (
    ("shadow:snapdir", ".zfs/snapshot"),
    ("shadow:snapprefix", "^auto-[a-z]*$"),
    ("shadow:delimiter", "_"),
    ("shadow:format", "_%Y-%m-%dT%H.%M.%SZ"),
    ("shadow:localtime", "no"),
    ("shadow:sort", "desc"),
)


def render(sharing: Sharing, inventory: Inventory) -> str:
    """The whole file: what holds for all, then each share that can be served now, by name."""
    text = _section("global", _global(sharing, inventory.facts.name))
    for share in sorted(sharing.smb, key=lambda one: one.name.casefold()):
        found = standing(share, inventory)
        if found.place is not None:
            text += _section(share.name, _share(share, found.place))
    return sealed(text)


def machine_name(settings: SharingSettings, hostname: str) -> str:
    """What the machine is called in SMB, where a name has at most 15 characters."""
    short = re.sub(r"[^A-Za-z0-9-]", "", hostname.partition(".")[0])[:15].strip("-")
    return (settings.name or short or "NAS").upper()


def _section(name: str, lines: Iterator[tuple[str, str]]) -> str:
    return f"\n[{name}]\n" + "".join(f"    {key} = {value}\n" for key, value in lines)


def _global(sharing: Sharing, hostname: str) -> Iterator[tuple[str, str]]:
    settings = sharing.settings
    name = machine_name(settings, hostname)
    guests = any(share.guests != "no" and share.enabled for share in sharing.smb)
    yield "workgroup", settings.workgroup.upper()
    yield "netbios name", name
    yield "server string", name
    yield "server min protocol", "SMB2_02" if settings.smb2 else "SMB3_00"
    yield "server signing", "mandatory" if settings.signing else "default"
    yield "disable netbios", "yes"
    yield "smb ports", "445"
    yield "map to guest", "Bad User" if guests else "Never"
    yield "guest account", "nobody"
    yield "load printers", "no"
    yield "printing", "bsd"
    yield "printcap name", "/dev/null"
    yield "disable spoolss", "yes"
    yield "usershare max shares", "0"
    if settings.interfaces:
        yield "interfaces", " ".join(("lo", *settings.interfaces))
        yield "bind interfaces only", "yes"
    # All shares or none: a Mac settles with the first one how it talks to the machine.
    if any(share.macos for share in sharing.smb):
        yield "fruit:aapl", "yes"
        yield "fruit:model", "MacSamba"


def _share(share: SmbShare, place: str) -> Iterator[tuple[str, str]]:
    home = share.purpose == "homes"
    yield "path", f"{place}/%U" if home else place
    if share.comment:
        yield "comment", share.comment
    yield "browseable", "no" if share.hidden else "yes"
    yield from _access(share)
    if home:
        yield "root preexec", make_command(place)
    else:
        # Should the file system be gone between two probes: the empty folder beneath is never served.
        yield "root preexec", check_command(place)
    yield "root preexec close", "yes"
    # Of a drop box: what somebody puts in is theirs alone, and others do not see it.
    alone = share.purpose == "drop-box"
    yield "inherit acls", "no" if alone else "yes"
    yield "create mask", share.extra.get("create mask", "0600" if alone else "0664")
    yield "directory mask", share.extra.get("directory mask", "0700" if alone else "0775")
    yield "server smb encrypt", _ENCRYPTION[share.encryption]
    yield "case sensitive", "yes" if share.case_sensitive else "no"
    yield "wide links", "no"
    if alone and "hide unreadable" not in share.extra:
        yield "hide unreadable", "yes"
    yield from _modules(share, place)
    for name in sorted(share.extra.keys() - {"create mask", "directory mask"}):
        yield name, share.extra[name]


def _access(share: SmbShare) -> Iterator[tuple[str, str]]:
    """Where guests are let in, so is everybody else: nobody is worse off for having an account."""
    yield "read only", "no" if share.guests == "write" else "yes"
    if share.guests == "no":
        people = dict.fromkeys((*share.write, *share.read))
        yield "valid users", ", ".join(_who(name) for name in people) or "root"
    else:
        yield "guest ok", "yes"
    if share.write and share.guests != "write":
        yield "write list", ", ".join(_who(name) for name in share.write)


def _who(name: str) -> str:
    """A group is looked up among those of the system alone (+), not in a domain."""
    return f"+{name[1:]}" if name.startswith("@") else name


def _modules(share: SmbShare, place: str) -> Iterator[tuple[str, str]]:
    mac = ("catia", "fruit", "streams_xattr") if share.macos or share.purpose == "time-machine" else ()
    modules = (
        *(("full_audit",) if share.audit else ()),
        *(("recycle",) if share.recycle_bin else ()),
        *mac,
        *(("shadow_copy2",) if share.previous_versions else ()),
    )
    if modules:
        yield "vfs objects", " ".join(modules)
    if mac:
        yield "fruit:metadata", "stream"
        yield "fruit:nfs_aces", "no"
        yield "fruit:wipe_intentionally_left_blank_rfork", "yes"
        yield "fruit:delete_empty_adfiles", "yes"
    if share.purpose == "time-machine":
        yield "fruit:time machine", "yes"
        if share.most_bytes is not None:
            yield "fruit:time machine max size", f"{max(1, share.most_bytes // _GIB)}G"
    if share.recycle_bin:
        yield "recycle:repository", ".recycle/%U"
        yield "recycle:keeptree", "yes"
        yield "recycle:versions", "yes"
        # The first is that of .recycle, which whoever deletes first makes; within it each has a folder.
        yield "recycle:directory_mode", "1777"
        yield "recycle:subdir_mode", "0700"
    if share.audit:
        yield "full_audit:prefix", "%u|%I|%S"
        yield "full_audit:success", "unlinkat renameat"
        yield "full_audit:failure", "none"
        yield "full_audit:facility", "daemon"
        yield "full_audit:priority", "notice"
    if share.previous_versions:
        # Set, because Samba looks for it before a person's own folder has been made.
        yield "shadow:mountpoint", place
        yield from _SNAPSHOTS


def sections(text: str) -> dict[str, dict[str, str]]:
    """What a file that we wrote says: section → parameter → value."""
    found: dict[str, dict[str, str]] = {}
    current: dict[str, str] = {}
    for line in lines(text):
        if line.startswith("["):
            current = found.setdefault(line[1:-1], {})
        elif " = " in line and not line.startswith("#"):
            name, _, value = line.strip().partition(" = ")
            current[name] = value
    return found


def narrower(before: dict[str, str], after: dict[str, str]) -> bool:
    """Whether somebody may lose by the change what they have open: those who are connected are cut off."""
    access = ("path", "valid users", "write list", "read only", "guest ok", "server smb encrypt")
    return any(before.get(name) != after.get(name) for name in access)
