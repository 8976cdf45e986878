"""Datasets, their properties, and snapshots."""

from __future__ import annotations

from typing import Literal

import msgspec

Source = Literal["local", "default", "inherited", "received", "temporary", "none"]


class Property(msgspec.Struct, frozen=True, kw_only=True):
    """A property's value and where it comes from; `inherited_from` names the ancestor."""

    value: str
    source: Source
    inherited_from: str | None = None


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """A file system or volume. All values are ZFS's own words in parsable form (bytes, seconds)."""

    name: str
    kind: Literal["filesystem", "volume"]
    guid: str
    properties: dict[str, Property]

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


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A snapshot. `holds` counts user references; `clones` are datasets that grew from it."""

    name: str  # dataset@tag
    guid: str
    created: int  # seconds since 1970, UTC
    used_bytes: int
    referenced_bytes: int
    holds: int = 0
    clones: tuple[str, ...] = ()

    @property
    def dataset(self) -> str:
        """The dataset it is of."""
        return self.name.partition("@")[0]

    @property
    def tag(self) -> str:
        """Its name behind the @."""
        return self.name.partition("@")[2]
