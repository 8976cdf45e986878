"""The restart into the copy: what writes is stopped before, and started again however it ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.programs.boot_convert.program import STOPPED
from tests.host.programs.convert_bench import (
    COPY,
    EXT4,
    FORGET,
    HALT,
    KERNEL,
    LEAVE,
    PROBES,
    RESTART,
    RESUME,
    START,
    Machine,
)

HALTED = [line.removeprefix("systemctl stop ") for line in HALT if line.startswith("systemctl stop ")]
RSYNC = COPY[6]
CHOSEN = RESTART.index("grub-reboot nasweb-copy")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path).copied()


def end(after: int, *, failed: bool) -> list[str]:
    """What cleans up once so many commands ran."""
    halted = [
        line.removeprefix("systemctl stop ") for line in RESTART[:after] if line.startswith("systemctl stop ")
    ]
    forget = [FORGET] if failed and after > CHOSEN else []
    return [*LEAVE, *forget, *([f"{RESUME} {' '.join(halted)}"] if halted else [])]


def test_everything_happens_in_this_order(machine: Machine) -> None:
    assert machine.start("restart") == 0
    assert machine.lines == [*PROBES, *RESTART, *LEAVE]
    assert (machine.ready_as, machine.mounted) == (["restarting"], [])
    report = machine.report()
    assert (report.state, report.words, report.done_bytes) == ("restarting", "", 1_500)


def test_grub_starts_the_copy_with_the_words_of_this_kernel(machine: Machine) -> None:
    custom = machine.put("/boot/grub/custom.cfg", "set theme=x\n")
    custom.chmod(0o640)
    assert machine.start("restart") == 0
    lines = custom.read_text().splitlines()
    assert (lines[0], lines[1], lines[-1]) == ("set theme=x", "# nasweb begin", "# nasweb end")
    assert (
        f"        linux /boot/vmlinuz-{KERNEL} root=UUID={EXT4} ro panic=30 quiet console=ttyS0,115200"
        in lines
    )
    assert custom.stat().st_mode & 0o777 == 0o640
    assert sorted(file.name for file in custom.parent.iterdir()) == ["custom.cfg", "grub.cfg"]


def test_a_second_try_leaves_one_entry(machine: Machine) -> None:
    assert machine.start("restart") == 0
    once = machine.text("/boot/grub/custom.cfg")
    assert machine.start("restart") == 0
    assert machine.text("/boot/grub/custom.cfg") == once


def test_settings_of_grub_that_are_there_stay(machine: Machine) -> None:
    machine.put("/boot/grub/grubenv", "# GRUB Environment Block\n")
    assert machine.start("restart") == 0
    assert machine.lines == [*PROBES, *(line for line in RESTART if line != START[0]), *LEAVE]


def test_until_the_copy_is_whole_nothing_of_the_old_disk_changes(machine: Machine) -> None:
    seen: list[bool] = []
    machine.before = {line: lambda: seen.append(machine.system().custom.exists()) for line in (*HALT, *COPY)}
    assert machine.start("restart") == 0
    assert not any(seen)


def test_nobody_can_stop_it_once_the_next_start_is_chosen(machine: Machine) -> None:
    def ask() -> None:
        seen.append(machine.stop.ignores)
        machine.stop.ask()

    seen: list[bool] = []
    machine.before = dict.fromkeys(START[1:], ask)
    assert machine.start("restart") == 0
    assert seen == [True, True, True]
    assert machine.lines == [*PROBES, *RESTART, *LEAVE]


@pytest.mark.parametrize("number", range(len(RESTART)))
def test_whatever_fails_the_old_system_goes_on(machine: Machine, number: int) -> None:
    line = RESTART[number]
    machine.failing = {line: 9}
    assert machine.start("restart") == 1
    report = machine.report()
    assert report.state == "failed"
    assert report.words.endswith("it broke")
    assert machine.worked() == [*RESTART[: number + 1], *end(number + 1, failed=True)]
    assert machine.mounted == []


def test_a_restart_that_does_not_come_says_so(machine: Machine) -> None:
    machine.failing = {START[3]: 1}
    assert machine.start("restart") == 1
    assert machine.report().words == "The machine does not restart: it broke"
    assert machine.lines[-2:] == [FORGET, f"{RESUME} {' '.join(HALTED)}"]


@pytest.mark.parametrize("number", range(CHOSEN))
def test_someone_may_stop_it_until_the_next_start_is_chosen(machine: Machine, number: int) -> None:
    machine.before = {RESTART[number]: machine.stop.ask}
    assert machine.start("restart") == 0
    report = machine.report()
    assert (report.state, report.words) == ("stopped", STOPPED)
    assert machine.worked() == [*RESTART[: number + 1], *end(number + 1, failed=False)]
    assert machine.mounted == []


def test_who_asks_right_before_is_heard(machine: Machine) -> None:
    # While the entry is written no command runs, and the next one would choose it.
    machine.put("/boot/grub/grubenv", "")
    ignore = machine.stop.ignore

    def asked_before() -> None:
        machine.stop.ask()
        ignore()

    machine.stop.ignore = asked_before  # type: ignore[method-assign]
    assert machine.start("restart") == 0
    assert machine.report().state == "stopped"
    assert START[1] not in machine.lines
    assert machine.lines[-1] == f"{RESUME} {' '.join(HALTED)}"


@pytest.mark.parametrize("wrong", [*LEAVE, FORGET])
def test_what_cleans_up_goes_on_past_what_fails(machine: Machine, wrong: str) -> None:
    machine.failing = {START[3]: 1, wrong: 1}
    assert machine.start("restart") == 1
    assert machine.lines[-4:] == end(len(RESTART), failed=True)
    assert machine.report().words == "The machine does not restart: it broke"


def test_a_full_disk_keeps_nothing_from_being_cleaned_up(machine: Machine) -> None:
    notes = machine.system().notes

    def full() -> None:
        (notes / "convert.json.new").mkdir()

    machine.before = {RSYNC: full}
    with pytest.raises(IsADirectoryError):
        machine.start("restart")
    assert machine.lines[-3:] == [*LEAVE, f"{RESUME} {' '.join(HALTED)}"]
