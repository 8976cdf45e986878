"""Reads vdevs from the words of `zpool create` and `zpool add`, as zpool does.

A device after `mirror` or `raidz…` belongs to that vdev, whatever was meant: only a keyword ends it.
"""

from __future__ import annotations

from typing import get_args

from host import typed
from host.commands.pools.zpool import Role, VdevSpec, words_of
from host.layouts import kind
from host.simulated.refusal import Refusal

_ROLES = set(get_args(Role)) - {"data"}
_WITHOUT_LAYOUTS = {"cache", "spare"}


def vdevs_of(vdevs: tuple[VdevSpec, ...]) -> tuple[VdevSpec, ...]:
    """The vdevs that the command's words make; single disks are stripes of one. Raises `Refusal`."""
    found: list[dict[str, object]] = []
    role, group = "data", None
    for word in words_of(vdevs):
        if word in _ROLES:
            role, group = word, None
        elif kind(word) != "stripe" and role in _WITHOUT_LAYOUTS:
            raise Refusal(f"invalid vdev specification: {role} requires at least 1 devices\n")
        elif kind(word) != "stripe":
            group = list[str]()
            found.append({"role": role, "layout": word, "devices": group})
        elif group is not None:
            group.append(word)
        else:
            found.append({"role": role, "layout": "stripe", "devices": [word]})
    return typed.convert(found, tuple[VdevSpec, ...])
