"""What an imported pool may have mounted, and what it has to give up for that: pure, over what it asks for.

Every pool is imported without mounting (`zpool import -N`). What its file systems ask for is known only then,
so `host.programs.mount_pools`, and the simulated machine in its place, decide by this: right after an import,
and at each start of the machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec

from host.mountpoints import Zone, path_fault, zone

ASKED = "nasweb:asked-mountpoint"  # the user property that keeps what was not granted
PROPERTIES = ("mountpoint", "canmount", "sharenfs", "sharesmb", "setuid", "devices", "keystatus", "mounted")
_OWN = {"local", "received"}


class Value(NamedTuple):
    """A property's value. `source` as `zfs get` has it, without the name behind `inherited from`."""

    value: str
    source: str
    inherited_from: str = ""


class FileSystem(msgspec.Struct, frozen=True, kw_only=True):
    """A file system with its `PROPERTIES`; the mount point with the folder that its pool was imported to."""

    name: str
    values: dict[str, Value]

    def value(self, name: str) -> str:
        """A property's value; empty where it has none."""
        return self.values[name].value if name in self.values else ""

    @property
    def place(self) -> str:
        """Where it asks to be mounted."""
        return self.value("mountpoint")

    @property
    def asks(self) -> bool:
        """Whether `zfs mount -a` would mount it."""
        return self.value("canmount") == "on" and self.place.startswith("/")

    @property
    def locked(self) -> bool:
        """Nothing can be mounted until its key is loaded."""
        return self.value("keystatus") == "unavailable"

    @property
    def mounted(self) -> bool:
        """True while its files can be reached."""
        return self.value("mounted") == "yes"


class Change(NamedTuple):
    """Properties that are set, on which file system."""

    name: str
    properties: dict[str, str]


def refusal(place: str, *, foreign: bool) -> str | None:
    """Why nothing of a pool is mounted there; None where it may be.

    `foreign`: this machine was not the last to use the pool. What lies elsewhere than in the open folders an
    admin of this machine has chosen, for pools of this machine alone.
    """
    found = zone(place)
    if found is Zone.OPEN or (found is Zone.ELSEWHERE and not foreign):
        return None
    if (fault := path_fault(place)) is not None:
        return fault
    if found is Zone.SYSTEM:
        return f"{place} belongs to the system."
    return f"{place} is not below /mnt, /srv or /media, and this pool comes from another machine."


def outer_first(found: Iterable[FileSystem]) -> tuple[FileSystem, ...]:
    """Those that ask to be mounted, so that none is mounted over another one of them."""
    return tuple(sorted((one for one in found if one.asks), key=lambda one: one.place.split("/")))


def changes(found: Iterable[FileSystem], *, foreign: bool) -> tuple[Change, ...]:
    """What is set before anything is mounted, so that no later start, tool or release grants it either.

    What was asked for is kept in `ASKED`. Another machine's pool brings no set-user-ID programs, no devices,
    and no shares that nobody of this machine has made.
    """
    known = {one.name: one for one in found}
    wanted: dict[str, dict[str, str]] = {}
    for source in _sources(known, foreign=foreign):
        asked = "".join(letter if letter.isprintable() else "?" for letter in known[source].place)
        wanted[source] = {"mountpoint": "none", ASKED: asked}
    for name, one in known.items() if foreign else ():
        for property_name in ("setuid", "devices", "sharenfs", "sharesmb"):
            found_value = one.values.get(property_name)
            root_brings = "/" not in name and property_name in {"setuid", "devices"}
            if found_value and found_value.value != "off" and (found_value.source in _OWN or root_brings):
                wanted.setdefault(name, {})[property_name] = "off"
    return tuple(Change(name, wanted[name]) for name in sorted(wanted))


def _sources(known: dict[str, FileSystem], *, foreign: bool) -> Iterator[str]:
    """Whose own mount point it is that leads to a place that is refused."""
    for one in known.values():
        if not one.asks or refusal(one.place, foreign=foreign) is None:
            continue
        given = one.values["mountpoint"]
        above = given.inherited_from if given.source == "inherited" else one.name
        # That of a pool without any is /POOL, and its file systems say "default" of it as well.
        yield one.name.partition("/")[0] if given.source == "default" else above
