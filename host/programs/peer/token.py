"""What a resume token asks for: it names the snapshot whose rest is wanted, and anybody can forge one.

zfs itself says what is in a token (`zfs send -nvt`), and looks the snapshot up by its guid, anywhere in the
pool if need be. So both are read here, and the snapshot of that name must have that guid: then it is the
first that zfs finds, and it is held to the same rights as any other.
"""

from __future__ import annotations

import re

from host.base import CommandFailed, Host
from host.commands.base import Command, SnapshotName
from host.commands.replication.streams import ResumeToken
from host.programs.peer.rules import Forbidden

_FIELD = re.compile(r"\t(\w+) = (.*)")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-/ ]*@[A-Za-z0-9_.:\- ]+")
_CANNOT = "This resume token asks for nothing that can be sent."


class SayToken(Command, frozen=True, kw_only=True):
    """What is in a resume token, in words. Sends nothing, and fails where the snapshot is gone."""

    reads = True
    token: ResumeToken

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "send", "-nvt", self.token)


class GuidOf(Command, frozen=True, kw_only=True):
    """The guid of a snapshot."""

    reads = True
    snapshot: SnapshotName

    def argv(self) -> tuple[str, ...]:
        return ("zfs", "get", "-Hp", "-o", "value", "guid", self.snapshot)


def named(text: str) -> tuple[str, int]:
    """The snapshot and the guid in what zfs says of a token. Raises `Forbidden` for what is not plainly that:
    a value with line feeds could look like another field."""
    _, found, rest = text.partition("resume token contents:\n")
    fields: dict[str, str] = {}
    for line in rest.splitlines():
        field = _FIELD.fullmatch(line)
        if field is None:
            if line.startswith("nvlist version:") and not fields:
                continue
            break
        if field.group(1) in fields:
            raise Forbidden(_CANNOT)
        fields[field.group(1)] = field.group(2)
    name, guid = fields.get("toname", ""), fields.get("toguid", "")
    if not found or not _NAME.fullmatch(name) or not re.fullmatch(r"0x[0-9a-f]{1,16}", guid):
        raise Forbidden(_CANNOT)
    return name, int(guid, 16)


def snapshot_of(token: str, host: Host) -> str:
    """The snapshot whose rest a token asks for. Raises `Forbidden`."""
    try:
        name, guid = named(host.run(SayToken(token=token)).stdout)
        found = host.run(GuidOf(snapshot=name)).stdout.strip()
    except CommandFailed:
        raise Forbidden(_CANNOT) from None
    if found != str(guid):
        raise Forbidden(_CANNOT)
    return name
