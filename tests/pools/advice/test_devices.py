"""A log, cache or special device is advised by what was measured, and "no" is an answer."""

from __future__ import annotations

import msgspec
import pytest

from host.inventory import Inventory, Vdev
from pools.advice.devices import DeviceAdvice, DeviceFigures, device_advice
from tests import made

DISK = made.disk(1, medium="hdd")


def machine(medium: str = "hdd", *roles: str) -> Inventory:
    data = Vdev(guid="11", name="a", kind="disk", role="data", state="ONLINE", disk=DISK.id)
    others = tuple(
        Vdev(guid=f"2{number}", name=role, kind="disk", role=role, state="ONLINE")  # type: ignore[arg-type]
        for number, role in enumerate(roles)
    )
    disk = msgspec.structs.replace(DISK, medium=medium)
    return made.inventory(disk, pools=(made.pool("tank", vdevs=(data, *others)),))


def found(of: DeviceFigures, there: Inventory | None = None) -> dict[str, DeviceAdvice]:
    there = there or machine()
    return {one.role: one for one in device_advice(there.pools[0], there, of)}


@pytest.mark.parametrize(
    ("commits", "medium", "verdict", "words"),
    [
        (None, "hdd", "not-measured", "Look again in a day"),
        (0.0, "hdd", "does-little", "No program waited in the last day"),
        (0.02, "hdd", "does-little", "Once a minute or less in the last day a program waited"),
        (0.9, "hdd", "does-little", "54 times a minute"),
        (1.0, "hdd", "helps", "SSD with power-loss protection"),
        (4321.4, "hdd", "helps", "4\u00a0321 times a second in the last day"),
        (4321.4, "ssd", "does-little", "own SSDs answer them"),
    ],
)
def test_a_log_device_helps_where_programs_wait_for_turning_disks(
    commits: float | None, medium: str, verdict: str, words: str
) -> None:
    log = found(DeviceFigures(commits=commits), machine(medium))["log"]
    assert log.verdict == verdict
    assert words in log.words


@pytest.mark.parametrize(
    ("hits", "ghosts", "verdict"),
    [
        (None, None, "not-measured"), (97.0, 500.0, "does-little"), (60.0, 10.0, "does-little"),
        (60.0, 11.0, "helps"),
    ],
)  # fmt: skip
def test_a_cache_device_helps_where_blocks_come_back_that_were_dropped(
    hits: float | None, ghosts: float | None, verdict: str
) -> None:
    cache = found(DeviceFigures(hit_percent=hits, ghost_hits=ghosts))["cache"]
    assert cache.verdict == verdict
    assert ("More memory comes first" in cache.words) is (verdict == "helps")
    sizes = "For 1 TB of records of 128 KiB that is 0.7 GB, of records of 16 KiB 5.9 GB."
    assert (sizes in cache.words) is (verdict == "helps")


def test_what_is_there_is_not_advised_again() -> None:
    measured = DeviceFigures(commits=50.0, hit_percent=50.0, ghost_hits=90.0)
    there = found(measured, machine("hdd", "log", "cache", "special"))
    assert {one.verdict for one in there.values()} == {"there"}
    assert found(measured)["special"].verdict == "not-measured"
