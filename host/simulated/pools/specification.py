"""Reads vdevs from the words of `zpool create`, as zpool does.

A device after `mirror` or `raidz…` belongs to that vdev, whatever was meant: only a keyword ends it.
"""

from __future__ import annotations

from typing import get_args

import msgspec

from host.commands import VdevSpec, ZpoolCreate
from host.commands.zpool import Layout, Role
from host.simulated.refusal import Refusal

_LAYOUTS = set(get_args(Layout)) - {"stripe"}
_ROLES = set(get_args(Role)) - {"data"}
_WITHOUT_LAYOUTS = {"cache", "spare"}


def vdevs_of(command: ZpoolCreate) -> tuple[VdevSpec, ...]:
    """The vdevs that the command's words make; single disks are stripes of one. Raises `Refusal`."""
    words = command.argv()
    found: list[dict[str, object]] = []
    role, group = "data", None
    for word in words[words.index("-m") + 3 :]:
        if word in _ROLES:
            role, group = word, None
        elif word in _LAYOUTS and role in _WITHOUT_LAYOUTS:
            raise Refusal(f"invalid vdev specification: {role} requires at least 1 devices\n")
        elif word in _LAYOUTS:
            group = list[str]()
            found.append({"role": role, "layout": word, "devices": group})
        elif group is not None:
            group.append(word)
        else:
            found.append({"role": role, "layout": "stripe", "devices": [word]})
    return msgspec.convert(found, tuple[VdevSpec, ...])
