"""dataset.files: the last scan of a dataset's files, or the one that goes on."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.commands.pools.care import ReadRequestSizes
from host.probe.datasets.measured import read_scanned
from host.scan.requests import RequestSize, parse_request_sizes
from host.scan.values import Scanned
from pools.measuring.beginning import NameText

QUESTION = "dataset.files"


class AskFiles(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask how the scan of a dataset stands."""

    name: NameText


class FilesFound(msgspec.Struct, frozen=True, kw_only=True):
    """`scanned` is None where it never was. `requests` are those of its whole pool."""

    scanned: Scanned | None = None
    requests: tuple[RequestSize, ...] = ()


def answer(request: AskFiles, host: Host) -> FilesFound:
    """Raises `HostError`."""
    pool = request.name.partition("/")[0]
    requests = parse_request_sizes(host.run(ReadRequestSizes(name=pool)).stdout)
    return FilesFound(scanned=read_scanned(host, request.name), requests=requests)
