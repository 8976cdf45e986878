"""Parser of the table of properties that `zfs get` prints when it is asked for nothing."""

from __future__ import annotations

import re

from host.base import CommandFailed, Host
from host.commands.datasets.datasets import ZfsPropertyTable
from host.inventory import NativeProperty

_ROW = re.compile(r"\t([a-z0-9_]+) +(YES|NO) +(YES|NO) +(\S.*)")


def read_property_table(host: Host) -> tuple[NativeProperty, ...]:
    """The table of `host`; empty where zfs does not print it. Raises `HostUnavailable`."""
    try:
        return parse_property_table(host.run(ZfsPropertyTable()).stderr)
    except CommandFailed:
        return ()


def parse_property_table(text: str) -> tuple[NativeProperty, ...]:
    """The rows below PROPERTY EDIT INHERIT VALUES, without those of families such as `userused@…`."""
    rows = (_ROW.fullmatch(line.rstrip()) for line in text.splitlines())
    return tuple(
        NativeProperty(name=row[1], editable=row[2] == "YES", inheritable=row[3] == "YES", values=row[4])
        for row in rows
        if row
    )
