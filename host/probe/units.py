"""Parsers of the reports of our long-running units, and the claim of a burn-in on its disk."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from host.base import Host
from host.commands.units import PREFIXES, ListUnits, ReadBurnIn, unit_serial
from host.inventory import BurnIn, Disk, DiskClaim, Unit

_RUNNING = {"active", "activating", "deactivating", "reloading"}
_ENDED_SILENTLY = "It ended without a word of its own, as at a power cut or a restart of the machine."


class _Row(msgspec.Struct, frozen=True):
    unit: str
    active: str


_rows = msgspec.json.Decoder(tuple[_Row, ...])
_reports = msgspec.json.Decoder(BurnIn)


def parse_list_units(text: str) -> tuple[Unit, ...]:
    """Our units in systemd's order, from `systemctl list-units --output=json`."""
    return tuple(unit for row in _rows.decode(text) if (unit := _unit(row)))


def _unit(row: _Row) -> Unit | None:
    for kind, prefix in PREFIXES.items():
        serial = row.unit.removeprefix(prefix).removesuffix(".service")
        if row.unit == f"{prefix}{serial}.service" and unit_serial(serial):
            if row.active in _RUNNING:
                return Unit(kind=kind, serial=serial, state="running")
            return Unit(kind=kind, serial=serial, state="failed" if row.active == "failed" else "succeeded")
    return None


def claim(disks: Iterable[Disk], units: Iterable[Unit]) -> tuple[Disk, ...]:
    """`disks`, those under a burn-in claimed by it; disks that share its serial too."""
    burning = {unit.serial for unit in units if unit.kind == "burn-in" and unit.state == "running"}
    held = DiskClaim(kind="burn-in", words="a burn-in that overwrites it", active=True)
    return tuple(
        msgspec.structs.replace(disk, claims=(*disk.claims, held)) if disk.serial in burning else disk
        for disk in disks
    )


def parse_read_burn_in(text: str) -> BurnIn | None:
    """The report, or None where there is none."""
    return _reports.decode(text) if text else None


def read_burn_in(host: Host, serial: str) -> BurnIn | None:
    """The last burn-in of the disk with that serial, None where none is known. Raises `HostError`.

    A report that says it goes on while its unit is gone was cut off: its verdict is then "stopped".
    """
    if unit_serial(serial) is None:
        return None
    first = parse_read_burn_in(host.run(ReadBurnIn(serial=serial)).stdout)
    if first is None or first.verdict is not None:
        return first
    units = parse_list_units(host.run(ListUnits()).stdout)
    if any(u.kind == "burn-in" and u.serial == serial and u.state == "running" for u in units):
        return first
    # It may have reached its verdict between the two reads.
    last = parse_read_burn_in(host.run(ReadBurnIn(serial=serial)).stdout)
    if last is None or last.verdict is not None or last.started_at != first.started_at:
        return last
    return msgspec.structs.replace(
        last, verdict="stopped", finished_at=last.updated_at, words=_ENDED_SILENTLY
    )
