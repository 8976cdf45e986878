"""SMART of NVMe drives, from the JSON of smartctl."""

from __future__ import annotations

from typing import Any

from host.inventory import SelfTest
from host.inventory.smart import TestResult

Answer = dict[str, Any]
_DATA_UNIT_BYTES = 512_000  # thousands of 512 bytes (NVM Express base specification, SMART log page)
_RESULTS: dict[int, TestResult] = {
    0: "passed", 1: "aborted", 2: "interrupted", 3: "interrupted", 4: "interrupted", 5: "failed", 6: "failed",
    7: "failed", 8: "aborted", 9: "interrupted",
}  # fmt: skip


def nvme_fields(answer: Answer) -> dict[str, Any]:
    """Fields of `SmartReading`."""
    health = answer.get("nvme_smart_health_information_log", {})
    log = answer.get("nvme_self_test_log", {})
    written = health.get("data_units_written")
    running = log.get("current_self_test_operation", {}).get("value")
    return {
        "rpm": 0,
        "power_on_hours": health.get("power_on_hours"),
        "power_cycles": health.get("power_cycles"),
        "uncorrectable_sectors": health.get("media_errors"),
        "wear_percent": health.get("percentage_used"),
        "spare_percent": health.get("available_spare"),
        "spare_least_percent": health.get("available_spare_threshold"),
        "self_tests": _self_tests(answer),
        "written_bytes": None if written is None else written * _DATA_UNIT_BYTES,
        "test_remaining_percent": 100 - log.get("current_self_test_completion_percent", 0)
        if running
        else None,
        "tests": tuple(_test(entry) for entry in log.get("table", [])),
        "error_count": health.get("num_err_log_entries"),
    }


def _self_tests(answer: Answer) -> bool | None:
    """What it says of the command that starts them; a drive with a log of them has it, too."""
    offered: bool | None = answer.get("nvme_optional_admin_commands", {}).get("self_test")
    return True if offered is None and "nvme_self_test_log" in answer else offered


def _test(entry: Answer) -> SelfTest:
    name, result = entry["self_test_code"].get("string", ""), entry["self_test_result"]
    return SelfTest(
        kind="short" if name == "Short" else "long" if name == "Extended" else "other",
        result=_RESULTS.get(result["value"], "unknown"),
        words=result.get("string", ""),
        at_hours=entry.get("power_on_hours"),
        first_error_lba=entry.get("lba"),
    )
