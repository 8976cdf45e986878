"""The accounts of a simulated machine: some that Debian has from the beginning, and people made since."""

from __future__ import annotations

import msgspec

from host.inventory.people import EVERYBODY, EVERYBODY_GID

_GROUPS = {"root": 0, "backup": 34, "games": 60, "users": 100, "nogroup": 65534, EVERYBODY: EVERYBODY_GID}


class PersonState(msgspec.Struct, kw_only=True):
    """An account that was added."""

    uid: int
    full_name: str


class GroupState(msgspec.Struct, kw_only=True):
    """A group, with its members in the order in which they came."""

    gid: int
    members: list[str] = []


def first_groups() -> dict[str, GroupState]:
    """Those of a machine that was just installed."""
    return {name: GroupState(gid=gid) for name, gid in _GROUPS.items()}


class SambaState(msgspec.Struct, kw_only=True):
    """What Samba knows of somebody: the password by its hash."""

    salt: str
    hash: str
    disabled: bool = False
    kickoff: int = 2_085_923_199  # what Samba 4.22 keeps of its latest time, in 32 bits
