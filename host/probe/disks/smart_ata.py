"""SMART of ATA disks, from the JSON of smartctl."""

from __future__ import annotations

import re
from typing import Any

from host.inventory import SelfTest
from host.inventory.smart import TestResult

Answer = dict[str, Any]
_REALLOCATED, _PENDING, _UNCORRECTABLE, _CRC = 5, 197, 198, 199
# Rated life that is left, counting down from 100 in the normalised value. Numbers mean other things with
# other makers, so the names of smartctl's drive database count.
_LIFE_LEFT = {
    "Media_Wearout_Indicator", "SSD_Life_Left", "Wear_Leveling_Count", "Percent_Lifetime_Remain",
    "Remaining_Lifetime_Perc",
}  # fmt: skip
_WRITTEN_UNITS = {
    "Host_Writes_32MiB": 32 << 20,
    "Host_Writes_GiB": 1 << 30,
    "Total_Writes_GiB": 1 << 30,
    "Lifetime_Writes_GiB": 1 << 30,
    "Host_Writes_MiB": 1 << 20,
}
# Spare blocks that are left, counting down from 100: Intel, Kingston and others (232), Samsung (179).
_SPARE_LEFT = {"Available_Reservd_Space", "Used_Rsvd_Blk_Cnt_Tot"}
_LEADING = re.compile(r"\d+")
_RUNNING = 0xF  # the upper four bits of a self-test's status; the lower count tenths that remain
_RESULTS: dict[int, TestResult] = {
    0x0: "passed", 0x1: "aborted", 0x2: "interrupted", 0x3: "failed", 0x4: "failed", 0x5: "failed",
    0x6: "failed", 0x7: "failed", 0x8: "failed", _RUNNING: "running",
}  # fmt: skip


def ata_fields(answer: Answer) -> dict[str, Any]:
    """Fields of `SmartReading`."""
    table = answer.get("ata_smart_attributes", {}).get("table", [])
    raw = {row["id"]: _raw(row) for row in table}
    statistics = _statistics(answer)
    self_test = answer.get("ata_smart_data", {}).get("self_test", {})
    status = self_test.get("status", {}).get("value")
    minutes = self_test.get("polling_minutes", {})
    running = status is not None and status >> 4 == _RUNNING
    spare, least = _spare(answer, table)
    return {
        "reallocated_sectors": raw.get(_REALLOCATED),
        "pending_sectors": raw.get(_PENDING),
        "uncorrectable_sectors": raw.get(_UNCORRECTABLE),
        "crc_errors": raw.get(_CRC, statistics.get("Number of Interface CRC Errors")),
        "wear_percent": statistics.get("Percentage Used Endurance Indicator", _wear(table)),
        "spare_percent": spare,
        "spare_least_percent": least,
        "written_bytes": _written(answer, table, statistics),
        "link_mbit": _link(answer, "current"),
        "link_most_mbit": _link(answer, "max"),
        "self_tests": answer.get("ata_smart_data", {}).get("capabilities", {}).get("self_tests_supported"),
        "test_remaining_percent": (status & 0xF) * 10 if running else None,
        "short_test_minutes": minutes.get("short"),
        "long_test_minutes": minutes.get("extended"),
        "tests": _tests(answer),
        "error_count": _log(answer, "ata_smart_error_log", "summary").get("count"),
    }


def _raw(row: Answer) -> int:
    # Vendors pack more than the count into the six bytes; smartctl's text begins with the count.
    found = _LEADING.match(row["raw"]["string"])
    return int(found[0]) if found else int(row["raw"]["value"])


def _statistics(answer: Answer) -> dict[str, int]:
    pages = answer.get("ata_device_statistics", {}).get("pages", [])
    return {
        entry["name"]: entry["value"]
        for page in pages
        for entry in page.get("table", [])
        if entry.get("flags", {}).get("valid", True) and "value" in entry
    }


def _wear(table: list[Answer]) -> int | None:
    return next(
        (100 - row["value"] for row in table if row["name"] in _LIFE_LEFT and row["value"] <= 100), None
    )


def _spare(answer: Answer, table: list[Answer]) -> tuple[int | None, int | None]:
    """What is left and what is least. Some firmwares have 0 in both, which says nothing."""
    found = (
        (row["value"], row["thresh"])
        for row in table
        if row["name"] in _SPARE_LEFT and row["value"] <= 100 and row.get("thresh")
    )
    return next(found, (None, None)) if answer.get("rotation_rate") == 0 else (None, None)


def _link(answer: Answer, which: str) -> int | None:
    speed = answer.get("interface_speed", {}).get(which, {})
    bits = speed.get("units_per_second", 0) * speed.get("bits_per_unit", 0)
    return bits // 10**6 or None


def _written(answer: Answer, table: list[Answer], statistics: dict[str, int]) -> int | None:
    sector = answer.get("logical_block_size", 512)
    if "Logical Sectors Written" in statistics:
        return int(statistics["Logical Sectors Written"] * sector)
    units = _WRITTEN_UNITS | {"Total_LBAs_Written": sector}
    return next((_raw(row) * units[row["name"]] for row in table if row["name"] in units), None)


def _log(answer: Answer, name: str, short: str) -> Answer:
    # -x reads the extended log, and the short one where a disk has no other.
    log = answer.get(name, {})
    found: Answer = log.get("extended") or log.get(short) or {}
    return found


def _tests(answer: Answer) -> tuple[SelfTest, ...]:
    table = _log(answer, "ata_smart_self_test_log", "standard").get("table", [])
    return tuple(_test(entry) for entry in table)


def _test(entry: Answer) -> SelfTest:
    name, status = entry["type"].get("string", ""), entry["status"]
    return SelfTest(
        kind="short" if name.startswith("Short") else "long" if name.startswith("Extended") else "other",
        result=_RESULTS.get(status["value"] >> 4, "unknown"),
        words=status.get("string", ""),
        at_hours=entry.get("lifetime_hours"),
        first_error_lba=entry.get("lba"),
    )
