"""Measurements of compression: begun from a snapshot, reported, stopped, and refused where there is none.

No command writes a file; what is predicted of files is held against what OpenZFS stores by a drill of the lab
(tests/lab/test_compression.py).
"""

from __future__ import annotations

import msgspec
import pytest

from host.commands.closed import decode, encode
from host.commands.datasets.compression import (
    MeasureCompression,
    ReadMeasuredCompression,
    StopMeasuringCompression,
    run_of,
)
from host.commands.datasets.snapshots import ZfsSnapshot
from host.probe.datasets.compression import read_measured
from tests.contract.bench import Bench


def begin(name: str, tag: str = "one") -> MeasureCompression:
    return MeasureCompression(
        run=run_of(name), dataset=name, tag=tag, record_bytes=131072, ashift=12, embeds=True
    )


@pytest.mark.core
def test_a_snapshot_is_measured_in_a_unit_and_reported(tank: Bench) -> None:
    name = tank.fresh()
    assert read_measured(tank.host, name) is None
    tank.host.run(ZfsSnapshot(names=(f"{name}@one",)))
    tank.host.run(begin(name))
    first = read_measured(tank.host, name)
    assert first is not None
    assert (first.dataset, first.snapshot, first.record_bytes, first.ashift) == (name, "one", 131072, 12)
    tank.host.run(StopMeasuringCompression(run=run_of(name)))  # a real one has ended, as nothing is there
    last = read_measured(tank.host, name)
    assert last is not None
    assert last.verdict in {"empty", "stopped"}
    assert (last.measured_blocks, last.choices, last.phase) == (0, (), "done")


def test_a_snapshot_that_is_gone_is_refused_with_the_reason(tank: Bench) -> None:
    name = tank.fresh()
    refused = tank.refuse(begin(name, "gone"))
    assert refused.stderr.endswith("No such file or directory.\n")
    assert read_measured(tank.host, name) is None


def test_no_measurement_is_known_without_its_report(tank: Bench) -> None:
    assert tank.host.run(ReadMeasuredCompression(run="f" * 16)).exit == 1
    assert tank.host.run(StopMeasuringCompression(run="f" * 16)).exit == 5


def test_the_helper_takes_no_record_size_that_is_none() -> None:
    for wrong in ({"record_bytes": 1000}, {"ashift": 30}, {"tag": "a b/../c"}):
        with pytest.raises(msgspec.ValidationError):
            decode(encode(msgspec.structs.replace(begin("tank/files"), **wrong)))
