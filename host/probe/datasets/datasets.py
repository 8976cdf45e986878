"""Reads file systems and volumes with `zfs get` (tab-separated)."""

from __future__ import annotations

from typing import cast

import msgspec

from host.base import Host
from host.commands.datasets.zfs import ZfsGet, ZfsGetSome, ZfsListNames
from host.inventory import Dataset, Property
from host.inventory.datasets import Source
from host.lines import Ask, Parsed, about, blocks, nothing, rows, sound
from host.probe.together import together

_SOURCES = {"local", "default", "received", "temporary"}


def read_datasets(host: Host) -> tuple[Dataset, ...]:
    """All datasets of the pools that answer, in ZFS's order. Raises `HostError`."""
    # Side by side: what comes or goes meanwhile is in one of them alone, and left to the next probe.
    with together(host, 1) as beside:
        names = beside.submit(host.run, ZfsListNames())
        text = host.run(ZfsGet()).stdout
    guids = dict(rows(names.result().stdout, 2))

    def ask(names: tuple[str, ...]) -> str:
        return host.run(ZfsGetSome(names=names)).stdout

    found = {one.name: one for one in parse_zfs_get(text, about(guids, ask))}
    # What only `zfs get` names is gone, or was part of a value.
    return tuple(
        msgspec.structs.replace(found[name], guid=guid) for name, guid in guids.items() if name in found
    )


def parse_zfs_get(text: str, ask: Ask = nothing) -> tuple[Dataset, ...]:
    """Datasets in ZFS's order, parents before children, each with all its properties."""
    return tuple(
        Dataset(
            name=name,
            kind="volume" if own["type"].value == "volume" else "filesystem",
            guid=own["guid"].value,
            properties=own,
        )
        for name, own in sound(_blocks, text, ask).items()
        if "guid" in own and "type" in own  # else it was part of a value
    )


def _blocks(text: str) -> Parsed[Property]:
    return blocks(rows(text, 4), _property, first="type")


def _property(row: list[str]) -> Property:
    value, source = row[2], row[3]
    if source in _SOURCES:
        return Property(value=value, source=cast("Source", source))
    if source.startswith("inherited from "):
        ancestor = source.removeprefix("inherited from ")
        return Property(value=value, source="inherited", inherited_from=ancestor)
    return Property(value=value, source="none")
