"""The self-tests of disks in words."""

from __future__ import annotations

import msgspec

from disks.links import disk_href
from disks.self_tests.overview import DiskTests, SelfTestState
from disks.self_tests.settings import DiskSchedule
from disks.self_tests.words import every
from frontend.units import moment


class TestCell(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of test: how often, when last, and when next or what it waits for."""

    every: str
    last: str | None
    next: str  # the day, or what it waits for
    overdue: bool


class DiskTestRow(msgspec.Struct, frozen=True, kw_only=True):
    """A disk with both."""

    name: str
    href: str
    running: bool
    schedule: str
    own: DiskSchedule
    short: TestCell
    long: TestCell


_WHICH = {"usual": "as all disks", "own": "its own", "off": "off"}


def rows(disks: tuple[DiskTests, ...]) -> tuple[DiskTestRow, ...]:
    """Of disks that have self-tests."""
    return tuple(row(one) for one in disks if one.has_self_tests)


def row(one: DiskTests) -> DiskTestRow:
    """One of them."""
    return DiskTestRow(
        name=f"Bay {one.bay}" if one.bay else one.serial or one.disk, href=f"{disk_href(one.disk)}#tests",
        running=one.running, schedule=_WHICH[one.schedule.which], own=one.schedule, short=_cell(one.short),
        long=_cell(one.long),
    )  # fmt: skip


def _cell(state: SelfTestState) -> TestCell:
    if state.every_days is None:
        return TestCell(every="never", last=state.last, next="", overdue=False)
    coming = moment(state.next) if state.next else None
    return TestCell(
        every=every(state.every_days), last=state.last,
        next=f"Due {coming:%Y-%m-%d}." if coming else f"Due now. {state.waits}", overdue=state.overdue,
    )  # fmt: skip
