"""Reads enclosures and their slots from sysfs."""

from __future__ import annotations

import re
from itertools import batched

from host.base import Host
from host.commands.disks.enclosure import EnclosureDevices, EnclosureFiles, ListEnclosures
from host.inventory import Enclosure, Slot

_ADDRESS = re.compile(r"\d+:\d+:\d+:\d+")
_ENCLOSURE = re.compile(r"/sys/devices/.+/enclosure/\d+:\d+:\d+:\d+")
_DANGLING = {"N", "L", "?"}  # find's words for a target that is not there, a loop, an error


def read_enclosures(host: Host) -> tuple[Enclosure, ...]:
    """All enclosures that have slots. Without any this is one quick command. Raises `HostError`."""
    paths = parse_enclosure_list(host.run(ListEnclosures()).stdout)
    if not paths:
        return ()
    files, links = (
        host.run(EnclosureFiles(paths=paths)).stdout,
        host.run(EnclosureDevices(paths=paths)).stdout,
    )
    return parse_enclosures(paths, files, links)


def parse_enclosure_list(text: str) -> tuple[str, ...]:
    """Paths under /sys/devices, from where the links in /sys/class/enclosure lead."""
    paths = (f"/sys/{line.removeprefix('../../')}" for line in text.splitlines())
    return tuple(sorted(path for path in paths if _ENCLOSURE.fullmatch(path)))


def parse_enclosures(paths: tuple[str, ...], files: str, links: str) -> tuple[Enclosure, ...]:
    """Enclosures in the order of their paths. `files` and `links` are what the two commands said.

    A slot is every folder that has one of the files, whatever it is called; its number is what its `slot`
    file says and nothing else. Numbers may repeat and names may end in blanks: both are kept as they are.
    """
    contents = dict(record.split("\0", 1) for record in files.split("\n") if "\0" in record)
    devices = _devices(links)
    found = []
    for path in paths:
        inside = [name.removeprefix(f"{path}/") for name in contents if name.startswith(f"{path}/")]
        folders = sorted({name.partition("/")[0] for name in inside if "/" in name})
        slots = [_slot(f"{path}/{folder}", contents, devices) for folder in folders]
        hctl = path.rpartition("/")[2]
        name = contents.get(f"{path}/id", "").strip()
        if slots:
            slots.sort(key=lambda slot: (slot.number is None, slot.number, slot.folder))
            found.append(Enclosure(id=name or hctl, hctl=hctl, slots=tuple(slots)))
    return tuple(found)


def _slot(path: str, contents: dict[str, str], devices: dict[str, str]) -> Slot:
    number = _number(contents.get(f"{path}/slot"))
    locate, fault = _number(contents.get(f"{path}/locate")), _number(contents.get(f"{path}/fault"))
    return Slot(
        path=path,
        folder=path.rpartition("/")[2],
        number=number if number is not None and number >= 0 else None,
        hctl=devices.get(path),
        locating=None if locate is None else locate != 0,
        faulty=None if fault is None else fault != 0,
    )


def _devices(links: str) -> dict[str, str]:
    """SCSI addresses by the folder of their slot, without links that lead nowhere."""
    found = {}
    for record in batched(links.split("\0"), 3):
        if len(record) == 3 and record[2] not in _DANGLING:
            address = record[1].rpartition("/")[2]
            if _ADDRESS.fullmatch(address):
                found[record[0].removesuffix("/device")] = address
    return found


def _number(text: str | None) -> int | None:
    try:
        return int(text or "")
    except ValueError:
        return None
