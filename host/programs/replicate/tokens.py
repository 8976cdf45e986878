"""What a resume token asks for: it names the snapshot whose rest is wanted, and anybody can forge one.

zfs itself says what is in a token (`zfs send -nvt`), and looks the snapshot up by its guid, anywhere in the
pool if need be. So both are read here, and the snapshot of that name must have that guid: then it is the
first that zfs finds, and whoever sends it holds it to the same rights as any other. How it is sent, raw or
readable, is in the token, too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from host.base import CommandFailed, Host
from host.commands.base import Command, SnapshotName
from host.commands.replication.streams import RESUMES, ResumeToken

_FIELD = re.compile(r"\t(\w+) = (.*)")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:\-/ ]*@[A-Za-z0-9_.:\- ]+")


class Unsendable(Exception):
    """A token that asks for nothing that can be sent."""


class Rest(NamedTuple):
    """What a token asks for. `raw`: as it lies on the disks, so that what is encrypted stays so."""

    snapshot: str
    guid: int
    raw: bool


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


def read(text: str) -> Rest:
    """What zfs says of a token. Raises `Unsendable` for what is not plainly that: a value with line feeds
    could look like another field."""
    _, found, rest = text.partition("resume token contents:\n")
    fields: dict[str, str] = {}
    for line in rest.splitlines():
        field = _FIELD.fullmatch(line)
        if field is None:
            if line.startswith("nvlist version:") and not fields:
                continue
            break
        if field.group(1) in fields:
            raise Unsendable
        fields[field.group(1)] = field.group(2)
    name, guid = fields.get("toname", ""), fields.get("toguid", "")
    if not found or not _NAME.fullmatch(name) or not re.fullmatch(r"0x[0-9a-f]{1,16}", guid):
        raise Unsendable
    return Rest(snapshot=name, guid=int(guid, 16), raw="rawok" in fields)


def rest_of(token: str, host: Host) -> Rest:
    """What a token asks this machine for. Raises `Unsendable`."""
    if not re.fullmatch(RESUMES, token):
        raise Unsendable
    try:
        rest = read(host.run(SayToken(token=token)).stdout)
        found = host.run(GuidOf(snapshot=rest.snapshot)).stdout.strip()
    except CommandFailed:
        raise Unsendable from None
    if found != str(rest.guid):
        raise Unsendable
    return rest
