"""The temperatures of a month, of the series that each reading of SMART adds to."""

from __future__ import annotations

from datetime import datetime, timedelta

from disks.identity import recognise
from disks.records import all_records, series_key
from host.inventory import Inventory
from jobs import series

# A little over what is kept as minutes: hours have the extremes within them, and are few.
_MONTH = timedelta(days=32)


def extremes(inventory: Inventory, now: datetime) -> dict[str, tuple[int, int]]:
    """The lowest and the highest of each disk that was measured, in degrees Celsius, by its id."""
    found = {}
    for disk_id, record in recognise(inventory.disks, all_records(gone=False)).items():
        columns = series.read(f"disk.temperature:{series_key(record)}", now - _MONTH, now)
        if columns.times:
            found[disk_id] = round(min(columns.lows)), round(max(columns.highs))
    return found
