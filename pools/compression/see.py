"""dataset.compression: the last measurement of a dataset's compression, or the one that goes on."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.compression.values import Measured
from host.probe.datasets.measured import read_measured
from pools.measuring.beginning import NameText

QUESTION = "dataset.compression"


class AskCompression(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Ask how the measurement of a dataset stands."""

    name: NameText


class CompressionFound(msgspec.Struct, frozen=True, kw_only=True):
    """None where it was never measured."""

    measured: Measured | None = None


def answer(request: AskCompression, host: Host) -> CompressionFound:
    """Raises `HostError`."""
    return CompressionFound(measured=read_measured(host, request.name))
