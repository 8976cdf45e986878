"""files.measure: how much a restore would copy, and what is there now where it would go."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.commands.files import MeasureFiles
from host.files.answers import Measure
from pools.files.answers import ask
from pools.files.reach import PathText, Text


class MeasureRestore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A restore as the machine needs it; `kept_as` is what its safety snapshots are called."""

    dataset: Text
    snapshot: Text
    path: PathText
    folder: PathText
    name: PathText
    kept_as: Text


def answer(request: MeasureRestore, host: Host) -> Measure:
    """Raises `Refused`, `HostError`."""
    command = MeasureFiles(
        dataset=request.dataset,
        tag=request.snapshot,
        path=request.path,
        folder=request.folder,
        name=request.name,
        kept_as=request.kept_as,
    )
    return ask(host, command, Measure)
