"""Reads what fio(1) prints with `--output-format=json`."""

from __future__ import annotations

from typing import Literal

import msgspec

from host import typed

Kind = Literal["read", "write"]
_NS = 1e9


class _Latency(msgspec.Struct):
    mean: float = 0.0
    percentile: dict[str, float] = {}


class _Side(msgspec.Struct):
    io_bytes: int
    bw_bytes: float
    iops: float
    runtime: float  # milliseconds
    clat_ns: _Latency


class _Job(msgspec.Struct):
    error: int
    read: _Side
    write: _Side


class _Output(msgspec.Struct):
    jobs: list[_Job]


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """Of one direction. Latencies are those of completion: fio's own `clat`."""

    kind: Kind
    bytes: int
    bytes_per_s: float
    operations_per_s: float
    mean_s: float
    p99_s: float
    seconds: float


class Unreadable(ValueError):
    """fio said something else, or that a job failed."""


def parse(text: str) -> tuple[Figures, ...]:
    """Read and write, each where there was any. Raises `Unreadable`.

    Warnings stand before the JSON where it is on stdout, too.
    """
    try:
        output = typed.decode(text[max(0, text.find("{")) :], _Output)
    except msgspec.MsgspecError as error:
        raise Unreadable("fio gave no figures.") from error
    if any(job.error for job in output.jobs):
        raise Unreadable("fio could not read or write.")
    sides: list[tuple[Kind, _Side]] = []
    for job in output.jobs:
        sides += [("read", job.read), ("write", job.write)]
    return tuple(
        Figures(
            kind=kind, bytes=side.io_bytes, bytes_per_s=side.bw_bytes, operations_per_s=side.iops,
            mean_s=side.clat_ns.mean / _NS, p99_s=side.clat_ns.percentile.get("99.000000", 0.0) / _NS,
            seconds=side.runtime / 1000,
        )
        for kind, side in sides if side.io_bytes
    )  # fmt: skip
