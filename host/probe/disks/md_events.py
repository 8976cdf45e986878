"""Events that mdadm's monitor reported, from the lines that its program stored."""

from __future__ import annotations

import re

import msgspec

from host import typed
from host.inventory import MdEvent
from host.probe.disks.arrays import as_mdadm_writes_it


class _Line(msgspec.Struct, frozen=True):
    at_ns: int
    event: str
    array: str
    uuid: str | None = None
    detail: str | None = None


_line = msgspec.json.Decoder(_Line)
_PERCENT = re.compile(r"Rebuild([0-9]{2})")
_MISMATCHES = re.compile(r"mismatches found: ([0-9]+)")


def parse_md_events(text: str) -> tuple[MdEvent, ...]:
    """Oldest first. A line that was cut, as the first of a tail may be, is left out."""
    found = []
    for line in text.splitlines():
        try:
            said = typed.decode_by(_line, line)
        except msgspec.DecodeError:
            continue
        percent, count = _PERCENT.fullmatch(said.event), _MISMATCHES.search(said.detail or "")
        found.append(
            MdEvent(
                at_ns=said.at_ns,
                event="Rebuild" if percent else said.event,
                percent=int(percent[1]) if percent else None,
                array=said.array,
                uuid=as_mdadm_writes_it(said.uuid or ""),
                device=said.detail if (said.detail or "").startswith("/dev/") else None,
                mismatches=int(count[1]) if count else None,
            )
        )
    return tuple(found)
