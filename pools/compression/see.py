"""dataset.compression: the last measurement of a dataset's compression, or the one that goes on."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from host.base import Host
from host.compression.values import Measured
from host.probe.datasets.compression import read_measured

QUESTION = "dataset.compression"
NameText = Annotated[str, Meta(max_length=1024)]


class AskCompression(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask how the measurement of a dataset stands."""

    name: NameText


class CompressionFound(msgspec.Struct, frozen=True, kw_only=True):
    """None where it was never measured."""

    measured: Measured | None = None


def answer(request: AskCompression, host: Host) -> CompressionFound:
    """Raises `HostError`."""
    measured = read_measured(host, request.name)
    # A report is called by a hash of the name.
    return CompressionFound(measured=measured if measured and measured.dataset == request.name else None)
