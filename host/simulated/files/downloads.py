"""Where the console collects what a simulated machine handed out."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile

from host.files.handover import END_BYTES, Handed, NotHanded
from host.files.names import readable
from host.simulated import copies
from host.simulated.datasets.file_tree import Tree, content, entry, reached
from host.simulated.simulator import SimulatedHost
from host.simulated.state import FileState


class SimulatedDownloads:
    """What waits in the machine's state, each for one who comes with its ticket."""

    def __init__(self, host: SimulatedHost) -> None:
        self._host = host

    def collect(self, ticket: str) -> tuple[Handed, int]:
        """As `host.files.handover.Downloads.collect`."""
        with self._host.change() as machine:
            handed = machine.handed.pop(ticket, None)
        if handed is None:
            raise NotHanded("The file was not handed over: there is none for this ticket.")
        if handed.copy:
            with copies.content(self._host.machine(), handed) as (report, data):
                return report, _descriptor(data)
        found = reached(self._host.machine(), handed.dataset, handed.tag)[2]
        name = handed.path.rpartition("/")[2] or "files"
        if handed.archive:
            end = "e5" * END_BYTES
            data = _archive(found, handed.path, name) + bytes.fromhex(end)
            return Handed(name=f"{name}.tar", end=end), _descriptor(data)
        state = found.states[handed.path]
        report = Handed(name=name, size_bytes=state.size, entry=entry(state, name))
        return report, _descriptor(content(state))


def _descriptor(data: bytes) -> int:
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.seek(0)
        return os.dup(file.fileno())


def _archive(found: Tree, path: str, name: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for state in sorted(found.below(path), key=lambda one: one.path):
            inner = readable(state.path.removeprefix(path).removeprefix("/"))
            archive.addfile(*_member(f"{name}/{os.fsdecode(inner)}", state))
    return out.getvalue()


def _member(path: str, state: FileState) -> tuple[tarfile.TarInfo, io.BytesIO | None]:
    member = tarfile.TarInfo(path)
    kinds = {"file": tarfile.REGTYPE, "folder": tarfile.DIRTYPE, "link": tarfile.SYMTYPE}
    member.type, member.mtime, member.mode = kinds[state.kind], state.modified_ns // 10**9, state.mode
    if state.kind == "link":
        member.linkname = os.fsdecode(readable(state.leads_to or ""))
    if state.kind != "file":
        return member, None
    member.size = state.size
    return member, io.BytesIO(content(state))
