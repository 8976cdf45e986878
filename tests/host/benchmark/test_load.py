"""How busy disks and processors were between two readings."""

from __future__ import annotations

import pytest

from host.benchmark.load import LoadMeter

LINK = "/dev/disk/by-id/ata-x-part1"


class Files:
    def __init__(self) -> None:
        self.busy_ms, self.user, self.idle = 1000, 100, 900

    def read(self, path: str) -> str:
        if path == "/proc/diskstats":
            return f"   8       1 sda1 10 0 80 5 20 0 160 9 0 {self.busy_ms} 14 0 0 0 0 0 0\n"
        assert path == "/proc/stat"
        return f"cpu  {self.user} 0 0 {self.idle} 0 0 0 0 0 0\ncpu0 1 2 3\n"

    def names(self, folder: str) -> list[str]:
        raise AssertionError(folder)


def test_shares_are_of_the_time_that_passed() -> None:
    files = Files()
    meter = LoadMeter(files, {LINK: "sda1", "/dev/disk/by-id/ata-gone": "sdz"})
    meter.begin()
    files.busy_ms, files.user, files.idle = 8200, 160, 940
    load = meter.end(8.0)
    assert load.processor == pytest.approx(0.6)
    (disk,) = load.busy
    assert disk.disk == LINK and disk.share == pytest.approx(0.9)


def test_what_was_too_short_to_count_is_none() -> None:
    files = Files()
    meter = LoadMeter(files, {LINK: "sda1"})
    meter.begin()
    load = meter.end(0.0)
    assert load.processor == 0.0 and load.busy[0].share == 0.0
