"""What a look at another machine through its connection found, and in words. Pure but for the commands."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from host.base import CommandFailed, Host
from host.commands.base import Command
from host.commands.peering.peers import RECEIVE, ShowAllowed
from host.commands.replication.over import Over, Trouble, trouble
from host.commands.replication.points import ListDatasets
from host.commands.replication.streams import ZfsVersion
from host.commands.replication.task import ConnectionId

_VERSION = re.compile(r"zfs-([0-9][0-9A-Za-z.\-~+]{0,40})")
_LONGEST_SAID = 300


class Probed(msgspec.Struct, frozen=True, kw_only=True):
    """`zfs`: the version of OpenZFS there, None where that was not found out. `missing`: rights that the
    account there lacks on the dataset, as zfs-allow(8) calls them; None where they were not asked for."""

    trouble: Trouble | None = None
    said: str = ""  # what ssh or zfs there said of it
    zfs: str | None = None
    dataset: Literal["there", "missing", "unknown"] = "unknown"
    missing: tuple[str, ...] | None = None
    shown_keys: tuple[str, ...] = ()  # that the server shows now, where they are not those that are trusted


def probe(
    host: Host, connection: ConnectionId, kind: Literal["nasweb", "ssh"], dataset: str | None, user: str
) -> Probed:
    """Connect, and look. What fails there is part of the answer; raises `HostError` for this machine's
    faults."""

    def over(command: Command) -> str:
        return host.run(Over(connection=connection, kind=kind, command=command)).stdout

    try:
        version = _VERSION.match(over(ZfsVersion()))
    except CommandFailed as error:
        return Probed(trouble=trouble(error.result), said=_said(error))
    zfs = version.group(1) if version else None
    if dataset is None or zfs is None:
        return Probed(zfs=zfs)
    try:
        over(ListDatasets(name=dataset, recursive=False))
    except CommandFailed as error:
        return Probed(zfs=zfs, trouble=trouble(error.result), said=_said(error), dataset="missing")
    missing = None
    if kind == "ssh" and user != "root":
        try:
            missing = missing_rights(over(ShowAllowed(dataset=dataset)), user)
        except CommandFailed as error:
            return Probed(zfs=zfs, dataset="there", said=_said(error))
    return Probed(zfs=zfs, dataset="there", missing=missing)


def missing_rights(text: str, user: str) -> tuple[str, ...]:
    """Which rights of a target an account lacks, by what `zfs allow DATASET` prints."""
    has = {"everyone": set[str](), "user": set[str]()}
    for line in text.splitlines():
        words = line.split()
        if words[:2] == ["user", user] and len(words) == 3:
            has["user"] |= set(words[2].split(","))
        elif words[:1] == ["everyone"] and len(words) == 2:
            has["everyone"] |= set(words[1].split(","))
    return tuple(right for right in RECEIVE if right not in has["user"] | has["everyone"])


def _said(error: CommandFailed) -> str:
    lines = [line for line in error.result.stderr.splitlines() if line.strip() and not line.startswith("@")]
    return (lines[-1] if lines else "")[:_LONGEST_SAID]
