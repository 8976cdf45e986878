"""dataset.files: the last scan of a dataset's files, or the one that goes on."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.probe.datasets.measured import read_scanned
from host.scan.values import Scanned
from pools.measuring.beginning import NameText

QUESTION = "dataset.files"


class AskFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask how the scan of a dataset stands."""

    name: NameText


class FilesFound(msgspec.Struct, frozen=True, kw_only=True):
    """None where it was never scanned."""

    scanned: Scanned | None = None


def answer(request: AskFiles, host: Host) -> FilesFound:
    """Raises `HostError`."""
    return FilesFound(scanned=read_scanned(host, request.name))
