"""What smartctl says of a SATA disk."""

from __future__ import annotations

from typing import Any

from host.simulated.hardware import SelfTest, Smart
from host.simulated.smart.wander import hours, hours_at, limited, temperature
from host.simulated.state import Disk, Machine

_GB = 10**9
_FASTEST = 6000  # Mbit/s
_LEAST = {232: 10}


def ata_answer(disk: Disk, smart: Smart, machine: Machine) -> dict[str, Any]:
    """The part of the answer below `device`."""
    now = temperature(disk, smart, machine)
    return {
        "model_name": disk.model, "serial_number": disk.serial, "firmware_version": "80.00A80",
        "user_capacity": {"blocks": disk.size // disk.logical_sector, "bytes": disk.size},
        "logical_block_size": disk.logical_sector, "physical_block_size": disk.physical_sector,
        "rotation_rate": smart.rpm, "smart_support": {"available": True, "enabled": True},
        "smart_status": {"passed": smart.passed},
        "ata_smart_data": {
            "self_test": _state(smart, machine), "capabilities": {"self_tests_supported": True},
        },
        "ata_smart_attributes": {"revision": 16, "table": _attributes(disk, smart, machine, now)},
        "power_on_time": {"hours": hours(smart, machine)}, "power_cycle_count": smart.power_cycles,
        "temperature": limited(now, smart),
        "interface_speed": {"max": _speed(_FASTEST), "current": _speed(smart.link_mbit or _FASTEST)},
        "ata_smart_error_log": {"extended": {"revision": 1, "sectors": 6, "count": 0}},
        "ata_smart_self_test_log": {"extended": {"revision": 1, "sectors": 1, **_log(smart, machine)}},
    }  # fmt: skip


def _attributes(disk: Disk, smart: Smart, machine: Machine, now: int) -> list[dict[str, Any]]:
    left = 100 if smart.wear is None else max(0, 100 - smart.wear)
    written = None if smart.written_gb is None else smart.written_gb * _GB // disk.logical_sector
    rows: tuple[tuple[int, str, int, int | None], ...] = (
        (5, "Reallocated_Sector_Ct", 100, smart.reallocated),
        (9, "Power_On_Hours", 100, hours(smart, machine)),
        (12, "Power_Cycle_Count", 100, smart.power_cycles),
        (194, "Temperature_Celsius", 150 - now, now),
        (197, "Current_Pending_Sector", 100, smart.pending),
        (198, "Offline_Uncorrectable", 100, smart.uncorrectable),
        (199, "UDMA_CRC_Error_Count", 100, smart.crc),
        (232, "Available_Reservd_Space", 100 if smart.spare is None else smart.spare, smart.spare),
        (233, "Media_Wearout_Indicator", left, None if smart.wear is None else 0),
        (241, "Total_LBAs_Written", 100, written),
    )
    return [
        {
            "id": number, "name": name, "value": value, "worst": value, "thresh": _LEAST.get(number, 0),
            "when_failed": "",
            "raw": {"value": raw, "string": str(raw)},
        }
        for number, name, value, raw in rows
        if raw is not None
    ]  # fmt: skip


def _speed(mbit: int) -> dict[str, Any]:
    return {"string": f"{mbit / 1000} Gb/s", "units_per_second": mbit // 100, "bits_per_unit": 10**8}


def _state(smart: Smart, machine: Machine) -> dict[str, Any]:
    minutes = {"short": 2, "extended": smart.long_minutes}
    status: dict[str, Any] = {"value": 0, "string": "completed without error", "passed": True}
    if smart.tests:
        last, now = smart.tests[-1], machine.now()
        if not last.ended(now):
            left = last.remaining_percent(now)
            status = {"value": 0xF0 | left // 10, "string": f"in progress, {left}% remaining"}
            status["remaining_percent"] = left
        elif last.aborted is not None:
            status = {"value": 0x10 | 9, "string": "was aborted by the host"}
        elif last.bad_lba is not None:
            status = {"value": 0x79, "string": "completed with error (read test element)", "passed": False}
    return {"status": status, "polling_minutes": minutes}


def _log(smart: Smart, machine: Machine) -> dict[str, Any]:
    table = [_entry(test, smart, machine) for test in reversed(smart.tests) if test.ended(machine.now())]
    if not table:
        return {"count": 0}
    failed = sum(entry["status"].get("passed") is False for entry in table)
    return {"table": table, "count": len(table), "error_count_total": failed, "error_count_outdated": 0}


def _entry(test: SelfTest, smart: Smart, machine: Machine) -> dict[str, Any]:
    kind = (
        {"value": 1, "string": "Short offline"}
        if test.kind == "short"
        else {"value": 2, "string": "Extended offline"}
    )
    status: dict[str, Any] = {"value": 0, "string": "Completed without error", "passed": True}
    if test.aborted is not None:
        left = test.remaining_percent(test.aborted)
        status = {"value": 0x10 | left // 10, "string": "Aborted by host", "remaining_percent": left}
    elif test.bad_lba is not None:
        status = {
            "value": 0x79,
            "string": "Completed: read failure",
            "remaining_percent": 90,
            "passed": False,
        }
    at = test.aborted or test.started + test.seconds
    entry = {"type": kind, "status": status, "lifetime_hours": hours_at(smart, machine, at)}
    failed = test.bad_lba is not None and test.aborted is None
    return entry | ({"lba": test.bad_lba} if failed else {})
