"""What smartctl leaves: readings, and self-tests started and aborted."""

from __future__ import annotations

from typing import Any

import msgspec

from host.base import Result
from host.commands.disks.smart import SmartRead, SmartTest
from host.simulated.blocks.devices import devices
from host.simulated.handlers import on
from host.simulated.hardware import SelfTest
from host.simulated.refusal import Refusal, done
from host.simulated.smart.ata import ata_answer
from host.simulated.smart.nvme import nvme_answer
from host.simulated.smart.scsi import scsi_answer
from host.simulated.state import Disk, Machine

_SECONDS = {"short": 20.0, "long": 120.0}  # nobody waits for hours to see how a test ends
_BANNER = (
    "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.12.117+deb13-amd64] (local build)\n"
    "Copyright (C) 2002-23, Bruce Allen, Christian Franke, www.smartmontools.org\n\n"
)
_BRIDGE = "{}: Unknown USB bridge [0x0781:0x5571 (0x100)]"
_REFUSED_BY_BRIDGE = "Read Device Identity failed: scsi error unsupported field in scsi command"
_ANSWERS = {"ATA": ata_answer, "SCSI": scsi_answer, "NVMe": nvme_answer}
_SECTION = "=== START OF OFFLINE IMMEDIATE AND SELF-TEST SECTION ===\n"


def read(machine: Machine, command: SmartRead) -> Result:
    """smartctl -j -x -n standby."""
    disk = _disk(machine, command.disk)
    if disk is None:
        return _answer(command, {}, 1, (f"{command.disk}: Unable to detect device type", "error"))
    smart = disk.smart
    if smart is None and disk.transport == "usb":
        if command.bridge == "auto":
            return _answer(command, {}, 1, (_BRIDGE.format(command.disk), "error"))
        return _answer(command, _device(command, "ATA"), 2, (_REFUSED_BY_BRIDGE, "error"))
    if smart is None:
        return _answer(command, _device(command, "SCSI") | {"smart_support": {"available": False}}, 4)
    device = _device(command, smart.protocol)
    if smart.asleep:
        return _answer(command, device, 2, ("Device is in STANDBY mode, exit(2)", "information"))
    content = _ANSWERS[smart.protocol](disk, smart, machine)
    return _answer(command, device | content, 0 if smart.passed else 8)


def test(machine: Machine, command: SmartTest) -> Result:
    """smartctl -t and -X. Either wakes the disk."""
    disk = _disk(machine, command.disk)
    if disk is None:
        raise _refused(f"{command.disk}: Unable to detect device type\n", 1)
    if disk.smart is None and disk.transport == "usb":
        raise _refused(f"{_BRIDGE.format(command.disk)}\nPlease specify device type with the -d option.\n", 1)
    if disk.smart is None:
        raise _refused("Self-test functions not supported\n", 4)
    smart, now = disk.smart, machine.now()
    smart.asleep = False
    running = smart.tests[-1] if smart.tests and not smart.tests[-1].ended(now) else None
    if command.kind == "abort":
        if running:
            running.aborted = now
        return done(f"{_BANNER}{_SECTION}Self-testing aborted!\n")
    if running:
        raise _refused(
            "Can't start self-test without aborting current test "
            f"({running.remaining_percent(now)}% remaining),\n"
            "add '-t force' option to override, or run 'smartctl -X' to abort test.\n",
            4,
        )
    bad = 1_953_525 if smart.pending and command.kind == "long" else None
    started = SelfTest(kind=command.kind, started=now, seconds=_SECONDS[command.kind], bad_lba=bad)
    smart.tests = [*smart.tests[-20:], started]
    return done(f"{_BANNER}{_SECTION}Testing has begun.\n")


def _disk(machine: Machine, link: str) -> Disk | None:
    device = devices(machine).get(link)
    return device.disk if device and device.partition is None else None


def _device(command: SmartRead, protocol: str) -> dict[str, Any]:
    kind = {"ATA": "sat", "SCSI": "scsi", "NVMe": "nvme"}[protocol]
    info = f"{command.disk} [SAT]" if protocol == "ATA" else command.disk
    return {"device": {"name": command.disk, "info_name": info, "type": kind, "protocol": protocol}}


def _answer(command: SmartRead, content: dict[str, Any], status: int, *said: tuple[str, str]) -> Result:
    messages = [{"string": text, "severity": severity} for text, severity in said]
    report: dict[str, Any] = {
        "version": [7, 4], "pre_release": False, "svn_revision": "5530",
        "platform_info": "x86_64-linux-6.12.117+deb13-amd64", "build_info": "(local build)",
        "argv": list(command.argv()), **({"messages": messages} if messages else {}), "exit_status": status,
    }  # fmt: skip
    answer = {"json_format_version": [1, 0], "smartctl": report, **content}
    return Result(exit=status, stdout=msgspec.json.encode(answer).decode() + "\n")


def _refused(text: str, status: int) -> Refusal:
    return Refusal("", exit_status=status, stdout=f"{_BANNER}{text}")


HANDLERS = on(SmartRead, read) | on(SmartTest, test)
