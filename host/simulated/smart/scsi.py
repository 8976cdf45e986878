"""What smartctl says of a SAS disk."""

from __future__ import annotations

from typing import Any

from host.simulated.hardware import SelfTest, Smart
from host.simulated.smart.wander import hours, hours_at, temperature
from host.simulated.state import Disk, Machine


def scsi_answer(disk: Disk, smart: Smart, machine: Machine) -> dict[str, Any]:
    """The part of the answer below `device`."""
    tests, gbit = list(reversed(smart.tests)), (smart.link_mbit or 12_000) / 1000
    return {
        "scsi_vendor": disk.vendor.strip(), "scsi_product": disk.model,
        "scsi_model_name": f"{disk.vendor.strip()} {disk.model}", "scsi_revision": "A142",
        "scsi_version": "SPC-4",
        "user_capacity": {"blocks": disk.size // disk.logical_sector, "bytes": disk.size},
        "logical_block_size": disk.logical_sector, "physical_block_size": disk.physical_sector,
        "rotation_rate": smart.rpm, "logical_unit_id": disk.wwn, "serial_number": disk.serial,
        "device_type": {"scsi_terminology": "Peripheral Device Type [PDT]", "scsi_value": 0, "name": "disk"},
        "smart_support": {"available": True, "enabled": True},
        "smart_status": {"passed": smart.passed},
        "temperature": {"current": temperature(disk, smart, machine), "drive_trip": 85},
        "power_on_time": {"hours": hours(smart, machine), "minutes": 0},
        "scsi_start_stop_cycle_counter": {"accumulated_start_stop_cycles": smart.power_cycles},
        "scsi_grown_defect_list": smart.reallocated,
        "scsi_error_counter_log": {
            "read": {"total_errors_corrected": 12, "total_uncorrected_errors": smart.uncorrectable},
            "write": {
                "gigabytes_processed": f"{smart.written_gb or 0}.000", "total_uncorrected_errors": 0,
            },
        },
        "scsi_pending_defects": {"count": smart.pending},
        **{f"scsi_self_test_{n}": _entry(test, smart, machine) for n, test in enumerate(tests[:20])},
        "scsi_sas_port_0": {"phy_0": {"negotiated_logical_link_rate": f"phy enabled; {gbit:g} Gbps"}},
        "scsi_extended_self_test_seconds": smart.long_minutes * 60,
    }  # fmt: skip


def _entry(test: SelfTest, smart: Smart, machine: Machine) -> dict[str, Any]:
    short = test.kind == "short"
    code = {"value": 1 if short else 2, "string": f"Background {test.kind}"}
    if not test.ended(machine.now()):
        result = {"value": 15, "string": "Self test in progress ..."}
        return {"code": code, "result": result, "self_test_in_progress": True}
    at = test.aborted or test.started + test.seconds
    entry: dict[str, Any] = {
        "code": code,
        "result": {"value": 0, "string": "Completed"},
        "power_on_time": {"hours": hours_at(smart, machine, at), "aka": "accumulated_power_on_hours"},
    }
    if test.aborted is not None:
        entry["result"] = {"value": 1, "string": "Aborted (by user command)"}
    elif test.bad_lba is not None:
        entry["result"] = {"value": 5, "string": "Failed in first segment"}
        entry["lba_first_failure"] = {"value": test.bad_lba, "aka": "address_of_first_failure"}
    return entry
