"""What the doctor says of pools' space, and what is recorded of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from alerts.doctor import space
from jobs import series
from tests import made
from tests.alerts.test_doctor import seen, well


def test_space_fragmentation_and_a_table_of_deduplication_are_recorded() -> None:
    properties = {"fragmentation": "17", "dedup_table_size": "4096"}
    tank = made.pool(properties=properties)
    inventory = made.inventory(pools=(tank,), datasets=(made.dataset("tank", used="7000"),))
    now = datetime.now(UTC)
    space.keep(msgspec.structs.replace(inventory, as_of=now.isoformat()))
    kinds = ("pool.used_bytes", "pool.fragmentation_percent", "pool.dedup_table_bytes")
    found = series.newest(kinds, since=now - timedelta(minutes=1))
    assert found == {
        f"{kind}:{tank.guid}": value for kind, value in zip(kinds, (7000, 17, 4096), strict=True)
    }
    plain = made.pool(properties={"fragmentation": "-"}, guid="7")
    space.keep(msgspec.structs.replace(inventory, pools=(plain,), as_of=now.isoformat()))
    later = series.newest(kinds, since=now - timedelta(minutes=1))
    assert [name for name in later if name.endswith(":7")] == ["pool.used_bytes:7"]


def test_a_vdev_that_was_added_later_is_emptier_than_the_others() -> None:
    def filled(*percents: int, **changes: Any) -> list[str]:
        vdevs = tuple(
            msgspec.structs.replace(
                well().pools[0].vdevs[0], name=f"raidz2-{number}", total_bytes=1000,
                allocated_bytes=10 * percent, **changes,
            )
            for number, percent in enumerate(percents)
        )  # fmt: skip
        pool = msgspec.structs.replace(well().pools[0], vdevs=vdevs)
        machine = msgspec.structs.replace(well(), pools=(pool,))
        return [
            one.value
            for finding in seen(machine).findings
            if finding.code == "filled-unevenly"
            for one in finding.evidence
        ]

    assert filled(70, 20, 68) == ["70 % full", "20 % full", "68 % full"]
    assert filled(70, 50) == filled(49, 1) == filled(90) == []
    assert filled(70, 20, removing=True) == []
