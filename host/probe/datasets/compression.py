"""How the measurement of a dataset's compression stands."""

from __future__ import annotations

import msgspec

from host.base import Host
from host.commands.datasets.compression import (
    ListCompressionRuns,
    ReadMeasuredCompression,
    run_of,
    run_unit,
)
from host.compression.values import Measured
from host.probe.reports import standing

_measured = msgspec.json.Decoder(Measured)
_CUT_OFF = (
    "It ended without a word of its own, as at a restart of the machine. What it had measured is shown."
)


def read_measured(host: Host, dataset: str) -> Measured | None:
    """The last measurement of a dataset, or the one that goes on; None where none is known. Raises
    `HostError`.
    """
    run = run_of(dataset)

    def report() -> Measured | None:
        text = host.run(ReadMeasuredCompression(run=run)).stdout
        return _measured.decode(text) if text else None

    return standing(report, host=host, units=ListCompressionRuns(), unit=run_unit(run), cut_off=_CUT_OFF)
