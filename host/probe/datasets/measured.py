"""How the measurements of a dataset's files stand."""

from __future__ import annotations

from host import typed
from host.base import Host
from host.commands.datasets.measuring import ListMeasurements, ReadMeasured, What, run_of, unit_of
from host.compression.values import Measured
from host.probe.reports import standing
from host.scan.values import Scanned

_CUT_OFF = (
    "It ended without a word of its own, as at a restart of the machine. What it had measured is shown."
)


def read_measured(host: Host, dataset: str) -> Measured | None:
    """The last measurement of a dataset's compression, or the one that goes on; None where none is known.
    Raises `HostError`.
    """
    return _read(host, dataset, "compression", Measured)


def read_scanned(host: Host, dataset: str) -> Scanned | None:
    """The last scan of a dataset's files, or the one that goes on; None where none is known. Raises
    `HostError`.
    """
    return _read(host, dataset, "files", Scanned)


def _read[T: (Measured, Scanned)](host: Host, dataset: str, what: What, kind: type[T]) -> T | None:
    run = run_of(dataset)

    def report() -> T | None:
        text = host.run(ReadMeasured(what=what, run=run)).stdout
        found = typed.decode(text, kind) if text else None
        # A report is called by a hash of the name.
        return found if found is not None and found.dataset == dataset else None

    return standing(report, host=host, units=ListMeasurements(), unit=unit_of(what, run), cut_off=_CUT_OFF)
