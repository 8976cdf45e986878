"""The disk under the console's database is nearly full: an alert says so while it can be written down."""

from __future__ import annotations

import os
from typing import Any

import pytest

from alerts.evidence import Evidence
from alerts.gathering import gather
from alerts.incidents import room
from host.simulated import SimulatedHost
from jobs import cache

MIB = 1 << 20


@pytest.mark.parametrize("free", [None, 256 * MIB, 10**12])
def test_nothing_is_reported_while_there_is_room(free: int | None) -> None:
    assert tuple(room.causes(Evidence(room_bytes=free))) == ()


@pytest.mark.parametrize(
    ("free", "severity"), [(200 * MIB, "warning"), (63 * MIB, "critical"), (0, "critical")]
)
def test_it_is_reported_with_what_to_do(free: int, severity: str) -> None:
    (cause,) = room.causes(Evidence(room_bytes=free))
    assert (cause.kind, cause.severity) == ("database-full", severity)
    assert cause.title == f"The system's disk is nearly full: {free // MIB} MiB are free"
    assert any("apt-get clean" in step.words for step in cause.steps)


def test_it_is_asked_of_the_databases_own_file_system(
    simulated: SimulatedHost, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    full = os.statvfs_result((4096, 4096, 100, 20, 16, 1, 1, 1, 0, 255))

    def statvfs(path: Any) -> os.statvfs_result:
        asked.append(path)
        return full

    monkeypatch.setattr(os, "statvfs", statvfs)
    inventory = cache.current()
    assert inventory is not None
    assert gather(inventory).room_bytes == 16 * 4096
    assert asked == [settings.DATA_DIR]
