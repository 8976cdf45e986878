"""Bays of a case that nobody described: a plain grid in the order of the ports."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import msgspec

from host.inventory import Absent, Bay, Disk, Inventory


class Left(NamedTuple):
    """A disk that is gone, and the port it hung on: its place in the grid is kept."""

    absent: Absent
    port: str


class _Entry(NamedTuple):
    port: str | None
    path: str
    disk: Disk | None = None
    absent: Absent | None = None


def guess(inventory: Inventory, left: tuple[Left, ...] = ()) -> tuple[Bay, ...]:
    """Hard disks as `A1`…, boot media as `U1`….

    The place of a disk that is gone stays, or pulling one would give all behind it the labels of others.
    """
    boot = [_entry(disk) for disk in inventory.disks if _is_boot_medium(disk)]
    data = [_entry(disk) for disk in inventory.disks if not _is_boot_medium(disk)]
    ports = {disk.port for disk in inventory.disks}
    data += [_Entry(port, "", absent=absent) for absent, port in left if port not in ports]
    bays = _grid(sorted(data, key=_by_port)) if data else []
    return (*bays, *_row(sorted(boot, key=_by_port)))


def _entry(disk: Disk) -> _Entry:
    return _Entry(disk.port, disk.path, disk)


def _is_boot_medium(disk: Disk) -> bool:
    return disk.transport == "usb" or disk.carries_system


def _by_port(entry: _Entry) -> tuple[bool, list[tuple[int, str]], str]:
    # Numbers in port names count as numbers: ata-10 comes behind ata-2.
    port = entry.port or ""
    words: list[str] = []
    for letter in port:
        if words and words[-1][-1].isdigit() == letter.isdigit():
            words[-1] += letter
        else:
            words.append(letter)
    return not port, [(int(word), "") if word.isdigit() else (-1, word) for word in words], entry.path


def _columns(count: int) -> int:
    if count <= 6:
        return max(count, 1)
    return 4 if count <= 24 else 12 if count <= 60 else 17


def _grid(entries: list[_Entry]) -> list[Bay]:
    columns = _columns(len(entries))
    empty = ceil(len(entries) / columns) * columns - len(entries)
    return [
        _bay(
            entry, f"{chr(65 + index // columns)}{index % columns + 1}", "Disks", index // columns,
            index % columns,
        )
        for index, entry in enumerate([*entries, *[_Entry(None, "")] * empty])
    ]  # fmt: skip


def _row(entries: list[_Entry]) -> list[Bay]:
    return [_bay(entry, f"U{index + 1}", "System", 0, index) for index, entry in enumerate(entries)]


def _bay(entry: _Entry, label: str, group: str, row: int, column: int) -> Bay:
    return Bay(
        label=label,
        group=group,
        row=row,
        column=column,
        disk=entry.disk.id if entry.disk else None,
        known_by="order" if entry.disk else None,
        missing=entry.absent and msgspec.structs.replace(entry.absent, bay=label),
    )
