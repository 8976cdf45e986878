"""Parsers of `zfs get` and `zfs list -t snapshot` (tab-separated)."""

from __future__ import annotations

from typing import cast

from host.inventory import Dataset, Property, Snapshot
from host.inventory.datasets import Source

_SOURCES = {"local", "default", "received", "temporary"}


def parse_zfs_get(text: str) -> tuple[Dataset, ...]:
    """Datasets in ZFS's order, parents before children, each with all its properties."""
    found: dict[str, dict[str, Property]] = {}
    for line in text.splitlines():
        name, prop, value, _received, source = line.split("\t")
        found.setdefault(name, {})[prop] = _property(value, source)
    return tuple(
        Dataset(
            name=name,
            kind="volume" if properties["type"].value == "volume" else "filesystem",
            guid=properties["guid"].value,
            properties=properties,
        )
        for name, properties in found.items()
    )


def _property(value: str, source: str) -> Property:
    if source.startswith("inherited from "):
        return Property(
            value=value, source="inherited", inherited_from=source.removeprefix("inherited from ")
        )
    return Property(value=value, source=cast("Source", source) if source in _SOURCES else "none")


def parse_zfs_list_snapshots(text: str) -> list[Snapshot]:
    """Snapshots in the order of the lines; columns as `host.commands.zfs.SNAPSHOT_COLUMNS`."""
    return [_snapshot(line.split("\t")) for line in text.splitlines()]


def _snapshot(columns: list[str]) -> Snapshot:
    name, guid, creation, used, referenced, userrefs, clones = columns
    return Snapshot(
        name=name,
        guid=guid,
        created=int(creation),
        used_bytes=int(used),
        referenced_bytes=int(referenced),
        holds=int(userrefs) if userrefs.isdigit() else 0,
        clones=tuple(clones.split(",")) if clones not in {"", "-"} else (),
    )
