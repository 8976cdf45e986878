"""What smartctl says of an NVMe disk."""

from __future__ import annotations

from typing import Any

from host.simulated.hardware import SelfTest, Smart
from host.simulated.smart.wander import hours, hours_at, limited, temperature
from host.simulated.state import Disk, Machine

_DATA_UNIT = 512_000  # bytes
_CODES = {"short": {"value": 1, "string": "Short"}, "long": {"value": 2, "string": "Extended"}}


def nvme_answer(disk: Disk, smart: Smart, machine: Machine) -> dict[str, Any]:
    """The part of the answer below `device`."""
    warm, up = temperature(disk, smart, machine), hours(smart, machine)
    running = next((test for test in smart.tests if not test.ended(machine.now())), None)
    ended = [test for test in reversed(smart.tests) if test is not running]
    operation = {"value": 0, "string": "No self-test in progress"}
    if running:
        code = _CODES[running.kind]
        operation = {"value": code["value"], "string": f"{code['string']} self-test in progress"}
    log: dict[str, Any] = {"current_self_test_operation": operation}
    if running:
        log["current_self_test_completion_percent"] = 100 - running.remaining_percent(machine.now())
    if ended:
        log["table"] = [_entry(test, smart, machine) for test in ended[:20]]
    return {
        "model_name": disk.model, "serial_number": disk.serial, "logical_block_size": disk.logical_sector,
        "user_capacity": {"blocks": disk.size // disk.logical_sector, "bytes": disk.size},
        "smart_support": {"available": True, "enabled": True},
        "nvme_optional_admin_commands": {"value": 0x17, "self_test": True},
        "smart_status": {"passed": smart.passed, "nvme": {"value": 0 if smart.passed else 4}},
        "nvme_smart_health_information_log": {
            "critical_warning": 0, "temperature": warm,
            "available_spare": 100 if smart.spare is None else smart.spare,
            "available_spare_threshold": 10, "percentage_used": smart.wear or 0,
            "data_units_written": (smart.written_gb or 0) * 10**9 // _DATA_UNIT,
            "power_cycles": smart.power_cycles, "power_on_hours": up,
            "media_errors": smart.uncorrectable or 0, "num_err_log_entries": 0,
        },
        "temperature": limited(warm, smart),
        "power_cycle_count": smart.power_cycles,
        "power_on_time": {"hours": up}, "nvme_self_test_log": log,
    }  # fmt: skip


def _entry(test: SelfTest, smart: Smart, machine: Machine) -> dict[str, Any]:
    at = test.aborted or test.started + test.seconds
    result = {"value": 0, "string": "Completed without error"}
    if test.aborted is not None:
        result = {"value": 1, "string": "Aborted: Self-test command"}
    return {
        "self_test_code": _CODES[test.kind],
        "self_test_result": result,
        "power_on_hours": hours_at(smart, machine, at),
    }
