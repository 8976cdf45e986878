"""Datasets, their properties, and snapshots."""

from __future__ import annotations

from typing import Literal

import msgspec

Source = Literal["local", "default", "inherited", "received", "temporary", "none"]


class Property(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A property's value and where it comes from; `inherited_from` names the ancestor.

    `received` is the value that came with a received stream, whether or not it is the one in force.
    """

    value: str
    source: Source
    inherited_from: str | None = None
    received: str | None = None


class NativeProperty(msgspec.Struct, frozen=True, kw_only=True):
    """A property that this ZFS knows, as its own table has it.

    What is not `editable` and yet `inheritable` is chosen once, when a dataset is created. `values` are
    ZFS's own words: `on | off`, `<size> | none`, `512 to 1M, power of 2`.
    """

    name: str
    editable: bool
    inheritable: bool
    values: str


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """A file system or volume. All values are ZFS's own words in parsable form (bytes, seconds)."""

    name: str
    kind: Literal["filesystem", "volume"]
    guid: str
    properties: dict[str, Property]
    # Of a file system that is to be mounted and is not: whether its mountpoint is empty, or not there. What
    # lies in it would be hidden by the mount. None for all others, and where that could not be read.
    folder_empty: bool | None = None

    @property
    def pool(self) -> str:
        """The pool it lies in."""
        return self.name.partition("/")[0]

    @property
    def parent(self) -> str | None:
        """The dataset above it; None for a pool's root."""
        return self.name.rpartition("/")[0] or None

    def value(self, name: str) -> str | None:
        """A property's value, or None where this dataset has no such property."""
        found = self.properties.get(name)
        return None if found is None else found.value

    def number(self, name: str) -> int:
        """A property in bytes or as a count; 0 where it is none, absent or not a number."""
        value = self.value(name) or ""
        return int(value) if value.isdigit() else 0

    @property
    def mounted(self) -> bool:
        """True while its files can be reached."""
        return self.value("mounted") == "yes"


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A snapshot. `holds` counts user references; `clones` are datasets that grew from it.

    What only it holds, `used_bytes`, moves with its neighbours and is costly to ask: None where nobody did.
    """

    name: str  # dataset@tag
    guid: str
    created: int  # seconds since 1970, UTC
    createtxg: int = 0  # the transaction group of its birth: orders the snapshots of a pool
    used_bytes: int | None = None
    referenced_bytes: int = 0
    holds: int = 0
    clones: tuple[str, ...] = ()
    leaving: bool = False  # destroyed by `zfs destroy -d`: it goes when its last hold or clone does
    mark: str = (
        ""  # the value of `host.commands.datasets.zfs.MARK`, own, inherited or received; empty where unset
    )

    @property
    def dataset(self) -> str:
        """The dataset it is of."""
        return self.name.partition("@")[0]

    @property
    def tag(self) -> str:
        """Its name behind the @."""
        return self.name.partition("@")[2]
