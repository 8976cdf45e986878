"""Reads a disk's SMART data, and the parser of `smartctl -j`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from host import typed
from host.base import CommandTimedOut, Host
from host.commands.disks.smart import SmartRead
from host.inventory import Disk, SmartReading
from host.inventory.smart import Bridge
from host.probe.disks.smart_ata import ata_fields
from host.probe.disks.smart_nvme import nvme_fields
from host.probe.disks.smart_scsi import scsi_fields

_ASLEEP = re.compile(r"Device is in .+ mode, exit\(\d+\)")
_UNKNOWN_BRIDGE = re.compile(r"Unknown USB bridge")
_NOT_OPENED = 2  # or asleep
_MOST = (1 << 63) - 1  # what reaches beyond it was never counted: some firmwares say all ones


def read_smart(host: Host, disk: Disk) -> SmartReading:
    """The SMART data of `disk` now. Never wakes it. Raises `HostError` if the machine does not answer.

    A USB bridge that smartctl does not know is asked a second time as most of them are built, but not a flash
    drive: those report nothing, and some of them hang when asked. What answered is remembered in the
    reading, and `disk.bridge` is asked first.
    """
    if not disk.links:
        return SmartReading(at=_now(), messages=("It has no name under /dev/disk/by-id to be asked by.",))
    if disk.bridge != "auto":
        known = _read(host, disk, disk.bridge)
        if known.asleep or known.supported:
            return known  # else it hangs on something else by now
    reading = _read(host, disk, "auto")
    if disk.medium != "flash" and any(_UNKNOWN_BRIDGE.search(text) for text in reading.messages):
        second = _read(host, disk, "sat")
        return second if second.asleep or second.supported else reading
    return reading


def _read(host: Host, disk: Disk, bridge: Bridge) -> SmartReading:
    at = _now()
    try:
        answer = host.run(SmartRead(disk=disk.link, bridge=bridge)).stdout
    except CommandTimedOut as late:
        return SmartReading(at=at, messages=(f"It did not answer within {late.command.timeout_s:.0f} s.",))
    return msgspec.structs.replace(parse_smart(answer, at=at), bridge=bridge)


def parse_smart(text: str, *, at: str) -> SmartReading:
    """The reading in an answer of `smartctl -j -x` (or `-a`). Whatever is not reported is None."""
    try:
        answer: dict[str, Any] = typed.decode(text)
    except msgspec.DecodeError:
        return SmartReading(at=at, messages=("smartctl did not answer in JSON.",))
    report = answer.get("smartctl", {})
    messages = tuple(message["string"].strip() for message in report.get("messages", ()))
    if any(_ASLEEP.search(message) for message in messages):
        return SmartReading(at=at, asleep=True)
    # Before 7.3 the word about sleep was not in the JSON; what cannot be opened always says why.
    if report.get("exit_status") == _NOT_OPENED and "device" in answer and not messages:
        return SmartReading(at=at, asleep=True)
    fields: dict[str, Any] = {
        "rpm": answer.get("rotation_rate"),
        "passed": answer.get("smart_status", {}).get("passed"),
        "power_on_hours": answer.get("power_on_time", {}).get("hours"),
        "power_cycles": answer.get("power_cycle_count"),
    }
    more = {name: value for name, value in _fields_of_its_kind(answer).items() if value is not None}
    return SmartReading(
        at=at,
        supported=_supported(answer, messages),
        temperature_celsius=_temperature(answer),
        hottest_celsius=_hottest(answer),
        messages=messages,
        **{name: value for name, value in (fields | more).items() if _possible(value)},
    )


def _possible(value: object) -> bool:
    return not isinstance(value, int) or value <= _MOST


def _fields_of_its_kind(answer: dict[str, Any]) -> dict[str, Any]:
    match answer.get("device", {}).get("protocol"):
        case "ATA":
            return ata_fields(answer)
        case "NVMe":
            return nvme_fields(answer)
        case "SCSI":
            return scsi_fields(answer)
    return {}


def _supported(answer: dict[str, Any], messages: tuple[str, ...]) -> bool | None:
    if any(_UNKNOWN_BRIDGE.search(message) for message in messages):
        return False
    if "nvme_smart_health_information_log" in answer:
        return True
    support = answer.get("smart_support")
    return bool(support.get("available") and support.get("enabled", True)) if support else None


def _temperature(answer: dict[str, Any]) -> int | None:
    report = answer.get("temperature", {})
    current: int | None = report.get("current")
    # SCSI's byte is 255 for "not known"; virtual disks say 0 and that they would trip at 0.
    if current == 255 or (current == 0 and not report.get("drive_trip")):
        return None
    return current


def _hottest(answer: dict[str, Any]) -> int | None:
    """The highest temperature for work: of ATA and NVMe the limit for operation, of SCSI where it trips."""
    report = answer.get("temperature", {})
    limit: int | None = report.get("op_limit_max", report.get("drive_trip"))
    return limit if limit and limit != 255 else None


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
