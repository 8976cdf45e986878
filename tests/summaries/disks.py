"""Examples of plans."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import msgspec

from disks.bays import case_file, import_case, set_bays, set_chassis, teach_bay
from disks.drives import burn_in, forget, locate, note, smart_test, stop_burn_in, wipe
from disks.layout import Teaching
from disks.self_tests import schedule_disk, set_schedule
from disks.self_tests.settings import Which
from host.inventory import Absent, Disk, Inventory, Unit
from jobs.plan import Plan
from tests import made
from tests.disks.cases import by_port, case, disk, idle, layout, machine, placed, shelf, taught

ONE = disk(1, bay="A1", short_test_minutes=2, long_test_minutes=413)
LEFT = Absent(
    id="ata-WDC_WD30EFRX_WD-0009", serial="WD-0009", model="WDC WD30EFRX", since="2026-11-21T12:00:00Z",
    bay="A4", events=7, noted=True,
)  # fmt: skip
WITHOUT_IT = msgspec.structs.replace(machine(ONE), gone=(LEFT,))


def _describe(request: set_chassis.SetChassis) -> Plan:
    return set_chassis.plan(request, taught(1, 2, 3))


def _import(inventory: Inventory, *teachings: Teaching) -> Plan:
    text = case_file.write(layout(), teachings)
    return import_case.plan(import_case.ImportCase(yaml=text), inventory)


def _set_bays(*bays: Teaching) -> Plan:
    return set_bays.plan(set_bays.SetBays(bays=bays), taught(1, 2))


def _teach(bay: str, one: Disk, inventory: Inventory) -> Plan:
    return teach_bay.plan(teach_bay.TeachBay(bay=bay, disk=one.id, serial=one.serial), inventory)


def _locate(one: Disk, inventory: Inventory, **changes: Any) -> Plan:
    request = locate.LocateDisk(disk=one.id, serial=one.serial or "", bay=one.bay, **changes)
    return locate.plan(request, inventory)


def _test(kind: smart_test.Kind, one: Disk = ONE) -> Plan:
    return smart_test.plan(smart_test.RunSelfTest(disk=one.id, kind=kind), machine(one))


def _schedule(which: Which, short_days: int | None = None, long_days: int | None = None) -> Plan:
    request = schedule_disk.ScheduleSelfTests(
        disk=ONE.id, which=which, short_days=short_days, long_days=long_days
    )
    return schedule_disk.plan(request, machine(ONE))


def _self_tests(**changes: Any) -> Plan:
    return set_schedule.plan(set_schedule.SetSelfTests(**changes), machine(ONE))


def _burn_in(one: Disk) -> Plan:
    request = burn_in.BurnInDisk(disk=one.id, serial=one.serial or "")
    return burn_in.plan(request, machine(one))


def _stop_burn_in() -> Plan:
    unit = Unit(kind="burn-in", serial="WD-0001", state="running")
    running = msgspec.structs.replace(machine(ONE), units=(unit,))
    return stop_burn_in.plan(stop_burn_in.StopBurnIn(disk=ONE.id), running)


def _wipe(*disks: Disk) -> Plan:
    request = wipe.WipeDisk(disk=disks[0].id, serial=disks[0].serial)
    return wipe.plan(request, machine(*disks))


def _exported(number: int) -> Disk:
    return idle(number, "exported-pool", "member of the exported pool old", bay=f"A{number}")


def _forget(left: Absent) -> Plan:
    inventory = msgspec.structs.replace(WITHOUT_IT, gone=(left,))
    return forget.plan(forget.ForgetDisk(disk=left.id), inventory)


def _note(**changes: Any) -> Plan:
    return note.plan(note.NoteDisk(**({"disk": ONE.id} | changes)), WITHOUT_IT)


EXAMPLES: dict[str, tuple[Callable[[], Plan], ...]] = {
    "chassis.set": (
        lambda: _describe(set_chassis.SetChassis(profile="home-tower-6")),
        lambda: _describe(set_chassis.SetChassis(name="Small case", groups=layout(columns=2).groups)),
    ),
    "chassis.import": (
        lambda: _import(machine(ONE), *by_port(3)),
        lambda: _import(taught(1, 2)),
    ),
    "bays.set": (lambda: _set_bays(*by_port(4)), lambda: _set_bays(*by_port(1)), _set_bays),
    "bays.teach": (
        lambda: _teach("A2", disk(1), placed(machine(disk(1)), case())),
        lambda: _teach("A2", disk(1), taught(1, 2)),
        lambda: _teach("A2", disk(1), placed(machine(disk(1, port=None)), case())),
    ),
    "disk.locate": (
        lambda: _locate(ONE, machine(ONE, enclosures=(shelf(1),))),
        lambda: _locate(ONE, machine(ONE), seconds=90),
        lambda: _locate(ONE, machine(ONE), on=False),
    ),
    "disk.smart-test": (
        lambda: _test("short"),
        lambda: _test("long"),
        lambda: _test("long", disk(2)),
        lambda: _test("abort", msgspec.structs.replace(ONE, test_remaining_percent=70)),
    ),
    "disk.schedule-self-tests": (
        lambda: _schedule("usual"),
        lambda: _schedule("own", short_days=1, long_days=14),
        lambda: _schedule("own", long_days=60),
        lambda: _schedule("off"),
    ),
    "self-tests.set": (
        _self_tests,
        lambda: _self_tests(weekdays=("sun", "sat"), from_hour=22, until_hour=6, at_once=1, short_days=1),
        lambda: _self_tests(from_hour=3, until_hour=3),
        lambda: _self_tests(enabled=False),
    ),
    "disk.burn-in": (lambda: _burn_in(ONE), lambda: _burn_in(made.with_file_system(3))),
    "disk.stop-burn-in": (_stop_burn_in,),
    "disk.wipe": (
        lambda: _wipe(made.with_file_system(3)),
        lambda: _wipe(_exported(1), _exported(2)),
    ),
    "disk.forget": (
        lambda: _forget(LEFT),
        lambda: _forget(msgspec.structs.replace(LEFT, bay=None, events=1, noted=False)),
    ),
    "disk.note": (
        lambda: _note(note="From the shop", purchased=date(2026, 11, 1), warranty_until=date(2031, 11, 1)),
        lambda: _note(note="Sent back to the maker", disk=LEFT.id),
        _note,
    ),
}
