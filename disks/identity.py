"""Which physical disk is which: by serial, WWN and model, whatever the kernel calls it today."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from host.inventory import Disk


class Known(Protocol):
    """A disk as it is remembered."""

    @property
    def serial(self) -> str | None: ...
    @property
    def wwn(self) -> str | None: ...
    @property
    def model(self) -> str: ...
    @property
    def last_id(self) -> str: ...
    @property
    def port(self) -> str | None: ...


def recognise[K: Known](disks: Iterable[Disk], known: Iterable[K]) -> dict[str, K]:
    """The record of each disk that was seen before, by the disk's id. No record serves two disks.

    Twins, which report one serial (cheap USB bridges do), are told apart by the port they hang on, or by
    their names where no port is known (virtual disks), and never merged.
    """
    remembered: dict[str, list[K]] = {}
    for record in known:
        remembered.setdefault(_name(record.serial, record.wwn, record.last_id), []).append(record)
    found: dict[str, K] = {}
    taken: set[int] = set()
    for disk in disks:
        candidates = remembered.get(_name(disk.serial, disk.wwn, disk.id), [])
        candidates = [record for record in candidates if _same(disk, record)]
        if disk.twins or len(candidates) > 1:
            fitting = (record for record in candidates if _in_its_place(disk, record))
            candidates = sorted(fitting, key=lambda record: record.port != disk.port)
        if candidates and id(candidates[0]) not in taken:
            taken.add(id(candidates[0]))
            found[disk.id] = candidates[0]
    return found


def key_of(disk: Disk, taken: Iterable[str]) -> str:
    """A new record's key: what the disk says of itself, and its port where that is not enough."""
    plain = "/".join((disk.model, disk.serial or "", disk.wwn or "", "" if disk.serial else disk.id))
    key = f"{plain}@{disk.port}" if disk.twins else plain
    used = set(taken)
    number = 1
    while key in used:
        key = f"{plain}@{disk.port}#{number}"
        number += 1
    return key


def _name(serial: str | None, wwn: str | None, disk_id: str) -> str:
    return serial or wwn or disk_id


def _in_its_place(disk: Disk, record: Known) -> bool:
    if disk.port and record.port:
        return disk.port == record.port
    return disk.id == record.last_id


def _same(disk: Disk, record: Known) -> bool:
    # udev may tell the WWN a moment later than the serial.
    return disk.model == record.model and (disk.wwn == record.wwn or disk.wwn is None or record.wwn is None)
