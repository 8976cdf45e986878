"""Parser of `zfs get` (tab-separated)."""

from __future__ import annotations

from typing import cast

from host.inventory import Dataset, Property
from host.inventory.datasets import Source
from host.probe.lines import rows

_SOURCES = {"local", "default", "received", "temporary"}


def parse_zfs_get(text: str) -> tuple[Dataset, ...]:
    """Datasets in ZFS's order, parents before children, each with all its properties."""
    found: dict[str, dict[str, Property]] = {}
    for name, prop, value, source in rows(text, 4):
        found.setdefault(name, {})[prop] = _property(value, source)
    return tuple(
        Dataset(
            name=name,
            kind="volume" if properties["type"].value == "volume" else "filesystem",
            guid=properties["guid"].value,
            properties=properties,
        )
        for name, properties in found.items()
        if {"type", "guid"} <= properties.keys()  # else it was part of a value
    )


def _property(value: str, source: str) -> Property:
    if source.startswith("inherited from "):
        ancestor = source.removeprefix("inherited from ")
        return Property(value=value, source="inherited", inherited_from=ancestor)
    known = cast("Source", source) if source in _SOURCES else "none"
    return Property(value=value, source=known)
