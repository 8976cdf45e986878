"""What the programs of the boot pair left behind, and whether one of them works now."""

from __future__ import annotations

from typing import Any

import msgspec

from host.base import Host
from host.commands.system.converting import LOADERS, REPORT, UNIT, ConvertRuns, ReadBootNotes
from host.inventory import BootNotes, Conversion
from host.lines import lines

_reports = msgspec.json.Decoder(Conversion)
_rows: msgspec.json.Decoder[list[dict[str, Any]]] = msgspec.json.Decoder(list[dict[str, Any]])
_CUT_OFF = "It ended without a word of its own, as at a power cut or a restart of the machine."


def read_boot_notes(host: Host) -> BootNotes:
    """The notes; a copy that says it goes on while its unit is gone was stopped. Raises `HostError`."""
    notes = parse_boot_notes(host.run(ReadBootNotes()).stdout)
    report = notes.conversion
    if report is None or report.state not in {"copying", "restarting"}:
        return notes
    if any(row["unit"] == UNIT for row in _rows.decode(host.run(ConvertRuns()).stdout)):
        return msgspec.structs.replace(notes, conversion=msgspec.structs.replace(report, running=True))
    # It may have ended between the two reads.
    notes = parse_boot_notes(host.run(ReadBootNotes()).stdout)
    report = notes.conversion
    if report is not None and report.state == "copying":
        report = msgspec.structs.replace(report, state="stopped", words=_CUT_OFF)
    return msgspec.structs.replace(notes, conversion=report)


def parse_boot_notes(text: str) -> BootNotes:
    """From lines of path, NUL and content. A report that cannot be read is none: it can be made anew."""
    files = dict(line.partition("\0")[::2] for line in lines(text) if "\0" in line)
    loaders = sorted(path.rpartition("/")[2] for path in files if path.startswith(f"{LOADERS}/"))
    return BootNotes(loaders=tuple(loaders), conversion=_conversion(files.get(REPORT)))


def _conversion(text: str | None) -> Conversion | None:
    try:
        return _reports.decode(text) if text else None
    except msgspec.DecodeError:
        return None
