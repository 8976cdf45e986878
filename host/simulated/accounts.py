"""The accounts of a simulated machine: some that Debian has from the beginning, and people made since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from host.inventory.people import EVERYBODY, EVERYBODY_GID

if TYPE_CHECKING:
    from host.simulated.state import Machine

_PASSWD = (
    "root:x:0:0:root:/root:/bin/bash\n"  # noqa: S105
    "games:x:5:60:games:/usr/games:/usr/sbin/nologin\n"
    "backup:x:34:34:backup:/var/backups:/usr/sbin/nologin\n"
    "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
)
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


def passwd(machine: Machine) -> str:
    """/etc/passwd."""
    return _PASSWD + "".join(
        f"{name}:x:{one.uid}:{EVERYBODY_GID}:{one.full_name}:/nonexistent:/usr/sbin/nologin\n"
        for name, one in machine.people.items()
    )


def group(machine: Machine) -> str:
    """/etc/group."""
    return "".join(f"{name}:x:{one.gid}:{','.join(one.members)}\n" for name, one in machine.groups.items())
