"""SMART of SCSI (SAS) disks, from the JSON of smartctl."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from host.inventory import SelfTest
from host.inventory.smart import TestResult

Answer = dict[str, Any]
_MOST_TESTS = 20  # entries that the log page has room for
_RATE = re.compile(r"phy enabled; (\d+(?:\.\d+)?) Gbps")
_RUNNING = 0xF
# SPC's self-test results; from 3 on the test did not end well.
_RESULTS: dict[int, TestResult] = {
    0: "passed", 1: "aborted", 2: "aborted", 3: "failed", 4: "failed", 5: "failed", 6: "failed", 7: "failed",
    _RUNNING: "running",
}  # fmt: skip


def scsi_fields(answer: Answer) -> dict[str, Any]:
    """Fields of `SmartReading`."""
    counters = answer.get("scsi_error_counter_log", {})
    seconds = answer.get("scsi_extended_self_test_seconds")
    pending = answer.get("scsi_pending_defects", {}).get("count")
    return {
        "power_cycles": answer.get("scsi_start_stop_cycle_counter", {}).get("accumulated_start_stop_cycles"),
        "reallocated_sectors": answer.get("scsi_grown_defect_list"),
        "pending_sectors": pending,
        "uncorrectable_sectors": _uncorrected(counters),
        "wear_percent": answer.get("scsi_percentage_used_endurance_indicator"),
        "written_bytes": _written(counters),
        "link_mbit": _link(answer),
        "self_tests": True if seconds or "scsi_self_test_0" in answer else None,
        "long_test_minutes": -(-seconds // 60) if seconds else None,
        "tests": tuple(_tests(answer)),
    }


def _link(answer: Answer) -> int | None:
    """Of the fastest port that is connected: a disk with two of them often has one."""
    ports = (value for key, value in answer.items() if key.startswith("scsi_sas_port_"))
    phys = (phy for port in ports if isinstance(port, dict) for phy in port.values() if isinstance(phy, dict))
    rates = (_RATE.search(str(phy.get("negotiated_logical_link_rate"))) for phy in phys)
    return max((round(1000 * float(rate[1])) for rate in rates if rate), default=None)


def _uncorrected(counters: Answer) -> int | None:
    counts = [
        row["total_uncorrected_errors"] for row in counters.values() if "total_uncorrected_errors" in row
    ]
    return sum(counts) if counts else None


def _written(counters: Answer) -> int | None:
    # In units of 10^9 bytes, as text with three decimals.
    found = re.fullmatch(r"(\d+)\.(\d{3})", str(counters.get("write", {}).get("gigabytes_processed")))
    return int(found[1] + found[2]) * 10**6 if found else None


def _tests(answer: Answer) -> Iterator[SelfTest]:
    for number in range(_MOST_TESTS):
        entry = answer.get(f"scsi_self_test_{number}")
        if entry is None:
            return
        name, result = entry["code"].get("string", ""), entry["result"]
        yield SelfTest(
            kind="short" if "short" in name else "long" if "long" in name or "extended" in name else "other",
            result=_RESULTS.get(result["value"], "unknown"),
            words=result.get("string", ""),
            at_hours=entry.get("power_on_time", {}).get("hours"),
            first_error_lba=entry.get("lba_first_failure", {}).get("value"),
        )
