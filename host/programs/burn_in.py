"""Tries a new disk out: its long self-test, then all of it written and read back. **All data on it is lost.**

`python -m host.programs.burn_in --disk LINK --serial SERIAL` ends with 0 when it came to a verdict (passed,
failed or stopped: see the report), with 3 when it refused before it touched anything, with 1 when it broke.
While it works it holds the disk open exclusively: the kernel gives it to no file system, array or pool.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol

from host.base import Host, HostError
from host.commands.units import REPORTS, unit_serial
from host.inventory import Disk
from host.local import LocalHost
from host.programs import burn_in_verdict, words
from host.programs.burn_in_report import BurnInReport
from host.programs.burn_in_verdict import Judgement
from host.programs.device import Unfit, confirm, confirm_open, opened, size_of
from host.programs.passes import BrokenOff, Differences, Meter, verify_pass, wake, write_pass
from host.programs.pattern import Pattern
from host.programs.self_test import DiskSmart, Smart, Stopped, self_test
from host.programs.signals import Stop, ready

REFUSED = 3


class Stopping(Protocol):
    """Whether someone asked for the end; see `host.programs.signals.Stop`."""

    def asked(self) -> bool:
        """True from then on."""

    def wait(self, seconds: float) -> bool:
        """Wait for a stop, so long at most; whether it was asked for."""


def carry_out(
    descriptor: int,
    report: BurnInReport,
    *,
    smart: Smart,
    stop: Stopping,
    clock: Callable[[], float],
    seed: bytes,
) -> None:
    """All of it on an open disk, to the verdict in `report`: whatever goes wrong with the disk is one."""
    try:
        faults, remarks = _judge(descriptor, report, smart, stop, clock, seed)
    except Stopped:
        burn_in = report.content
        facts = words.stopped(burn_in.phase, burn_in.percent, burn_in.mismatches)
        report.end("stopped", facts)
        return
    report.end("failed" if faults else "passed", " ".join((*faults, *remarks)))


def _judge(
    descriptor: int,
    report: BurnInReport,
    smart: Smart,
    stop: Stopping,
    clock: Callable[[], float],
    seed: bytes,
) -> Judgement:
    wake(descriptor)
    before = smart.read()
    tested = self_test(
        smart,
        before,
        clock=clock,
        wait=stop.wait,
        progress=lambda percent: report.note(percent=percent),
    )
    if tested.faults:
        return tested
    found, broken_off = Differences(), Judgement((), ())
    try:
        _passes(descriptor, report, stop, clock, Pattern(seed), found)
        report.note(phase="done", percent=100.0)
    except BrokenOff as broken:
        fault = words.broken_off(report.content.phase, broken.offset_bytes, broken.why)
        broken_off = Judgement((fault,), ())
    different = burn_in_verdict.differences(found)
    slow = burn_in_verdict.slowness(report.content.writing, report.content.reading)
    counted = burn_in_verdict.counters(before, smart.read())
    parts = (tested, broken_off, different, slow, counted)
    return Judgement(
        tuple(text for part in parts for text in part.faults),
        tuple(text for part in parts for text in part.remarks),
    )


def _passes(
    descriptor: int,
    report: BurnInReport,
    stop: Stopping,
    clock: Callable[[], float],
    pattern: Pattern,
    found: Differences,
) -> None:
    size = report.content.size_bytes

    def after(meter: Meter, curve: str, done_bytes: int) -> None:
        meter.passed(done_bytes)
        percent = round(100 * done_bytes / size, 3)
        report.note(percent=percent, mismatches=found.blocks, **{curve: meter.points})
        if stop.asked():
            raise Stopped

    report.note(phase="write", percent=0.0)
    write_pass(descriptor, size, pattern, partial(after, Meter(size, clock), "writing"))
    report.note(phase="verify", percent=0.0)
    verify_pass(descriptor, size, pattern, found, partial(after, Meter(size, clock), "reading"))


def refuse_used(disk: Disk) -> None:
    """Raises `Unfit` for a disk that is not blank: what the plan showed as lost was erased before."""
    if disk.partitions:
        facts = [part.fstype or f"partition {part.number}" for part in disk.partitions]
        raise Unfit(f"{disk.link} is not blank: {', '.join(facts)}.")
    if disk.in_use:
        raise Unfit(f"{disk.link} is in use: {disk.used_by}.")


def main(arguments: list[str] | None = None, *, host: Host | None = None) -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(prog="python -m host.programs.burn_in", description=__doc__)
    parser.add_argument("--disk", required=True, help="its link under /dev/disk/by-id")
    parser.add_argument("--serial", required=True, help="which must be the disk's")
    parser.add_argument("--reports", type=Path, default=Path(REPORTS), help="the folder of reports")
    asked = parser.parse_args(arguments)
    if unit_serial(asked.serial) is None:
        parser.error("No report can be named after this serial.")
    machine, stop = host or LocalHost(), Stop()
    try:
        with opened(asked.disk, os.O_RDWR | os.O_EXCL) as descriptor:
            disk = confirm(machine, asked.disk, asked.serial)
            confirm_open(descriptor, disk.path)
            refuse_used(disk)
            path = asked.reports / f"{asked.serial}.json"
            size = size_of(descriptor)
            report = BurnInReport(path, serial=asked.serial, size_bytes=size, clock=time.monotonic)
            ready()
            return _to_the_end(descriptor, report, DiskSmart(machine, disk), stop)
    except (Unfit, HostError) as refusal:
        sys.stderr.write(f"{refusal}\n")
        return REFUSED


def _to_the_end(descriptor: int, report: BurnInReport, smart: Smart, stop: Stop) -> int:
    try:
        seed = os.urandom(16)
        carry_out(descriptor, report, smart=smart, stop=stop, clock=time.monotonic, seed=seed)
    except Exception as error:
        report.end("stopped", f"The burn-in itself broke, which says nothing of the disk: {error!r}")
        raise
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
