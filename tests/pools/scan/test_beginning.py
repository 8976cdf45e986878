"""Which snapshot is read."""

from __future__ import annotations

import pytest

from jobs.planning.findings import Findings
from pools.measuring.beginning import idle
from pools.policies.rules.names import PREFIX
from tests import made

NOW, HOUR = 1_790_000_000, 3600
FREQUENT, HOURLY = f"{PREFIX}frequent_2026-09-21T12.00.00Z", f"{PREFIX}hourly_2026-09-21T09.00.00Z"


@pytest.mark.parametrize(
    ("taken", "read"),
    [
        ({FREQUENT: 0, HOURLY: 3, "mine": 5}, HOURLY),
        ({FREQUENT: 0, "mine": 23}, "mine"),
        ({FREQUENT: 0, "mine": 25}, FREQUENT),  # what is on the disks now is another thing
        ({"mine": 0, HOURLY: 1}, "mine"),
    ],
)
def test_it_is_a_late_one_that_is_not_deleted_meanwhile(taken: dict[str, int], read: str) -> None:
    snapshots = tuple(
        made.snapshot(f"tank/a@{tag}", created=NOW - hours * HOUR, createtxg=1000 - hours)
        for tag, hours in taken.items()
    )
    machine = made.inventory(datasets=(made.dataset("tank/a"),), snapshots=snapshots)
    assert idle(machine.datasets[0], machine, None, Findings()).snapshot.tag == read
