"""What the programs of the boot pair left behind, and the commands that start them."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from host.base import Result, check
from host.commands.base import Command
from host.commands.closed import AnyCommand
from host.commands.starting import RELEASE
from host.commands.system import convert_program
from host.commands.system.converting import (
    LOADERS,
    REPORT,
    ConvertRuns,
    ReadBootNotes,
    RestartIntoCopy,
    StartConverting,
    WriteBootTable,
    loader_mark,
)
from host.inventory import BootNotes, Conversion
from host.probe.system.conversion import parse_boot_notes, read_boot_notes
from host.programs import boot_convert

LINK = "/dev/disk/by-id/usb-SanDisk_Cruzer_Fit_4C53-0:0"
# As the program writes it, in one line.
REPORTED = (
    '{"state":"copying","array":"0d1c2b3a:4f5e6d7c:8b9a0f1e:2d3c4b5a","disk":"usb-SanDisk_Cruzer_Fit_4C53-0:0",'
    '"done_bytes":1048576,"total_bytes":2411724800,"started_at":"2026-11-22T20:00:00+00:00",'
    '"updated_at":"2026-11-22T20:00:10+00:00","words":""}'
)
RUNNING = '[{"unit":"nasweb-boot-convert.service","load":"loaded","active":"active","sub":"running"}]'


class Scripted:
    """A host whose notes are one after the other of a list, the last for ever."""

    kind = "local"

    def __init__(self, *notes: str, units: str = "[]") -> None:
        self._notes, self._units = list(notes), units

    def run(self, command: Command) -> Result:
        if isinstance(command, ConvertRuns):
            return Result(exit=0, stdout=self._units)
        assert isinstance(command, ReadBootNotes)
        text = self._notes.pop(0) if len(self._notes) > 1 else self._notes[0]
        return check(command, Result(exit=0 if text else 2, stdout=text))


def report(**changes: object) -> str:
    facts = msgspec.structs.replace(msgspec.json.decode(REPORTED, type=Conversion), **changes)
    return f"{REPORT}\0{msgspec.json.encode(facts).decode()}\n"


def test_nothing_is_there_at_first() -> None:
    assert read_boot_notes(Scripted("")) == BootNotes()


def test_marks_and_report_are_read_together() -> None:
    notes = parse_boot_notes(f"{LOADERS}/4C53-B\0GRUB\n{REPORT}\0{REPORTED}\n{LOADERS}/4C53-A\0GRUB\n")
    assert notes.loaders == ("4C53-A", "4C53-B")
    assert notes.conversion is not None
    assert (notes.conversion.state, notes.conversion.total_bytes) == ("copying", 2_411_724_800)
    assert notes.conversion.disk == LINK.rpartition("/")[2]


@pytest.mark.parametrize("text", ["", "{", '{"state":"dancing"}', REPORTED[:-1]])
def test_a_report_that_cannot_be_read_is_none(text: str) -> None:
    assert parse_boot_notes(f"{REPORT}\0{text}\n") == BootNotes()


def test_a_copy_goes_on_while_its_unit_is_there() -> None:
    facts = read_boot_notes(Scripted(report(), units=RUNNING)).conversion
    assert facts is not None
    assert (facts.state, facts.running) == ("copying", True)


def test_a_copy_whose_unit_is_gone_was_cut_off() -> None:
    facts = read_boot_notes(Scripted(report())).conversion
    assert facts is not None
    assert (facts.state, facts.running) == ("stopped", False)
    assert "power cut" in facts.words


def test_a_copy_that_ended_between_two_reads_is_whole() -> None:
    facts = read_boot_notes(Scripted(report(), report(state="copied"))).conversion
    assert facts is not None
    assert (facts.state, facts.words) == ("copied", "")


def test_an_old_system_that_reports_a_restart_came_back() -> None:
    facts = read_boot_notes(Scripted(report(state="restarting"))).conversion
    assert facts is not None
    assert (facts.state, facts.running) == ("restarting", False)


def test_the_table_is_that_of_the_image() -> None:
    command = WriteBootTable(disk=LINK, root_mib=13_000)
    assert command.argv()[:3] == ("udevadm", "lock", f"--device={LINK}")
    assert command.input().splitlines() == [
        "label: gpt",
        "start=1MiB, size=1MiB, type=21686148-6449-6E6F-744E-656564454649, name=bios",
        "start=2MiB, size=128MiB, type=C12A7328-F81F-11D2-BA4B-00A0C93EC93B, name=esp",
        "start=130MiB, size=13000MiB, type=A19D880F-05FC-4D3B-A006-743F0F84911E, name=root",
    ]


def test_copy_and_restart_are_never_two_at_once() -> None:
    copy, restart = StartConverting(disk=LINK).argv(), RestartIntoCopy(disk=LINK).argv()
    assert copy[1] == restart[1] == "--unit=nasweb-boot-convert.service"
    assert {"--service-type=notify", "--collect"} <= set(copy) & set(restart)
    # By the release's own Python, which the program is a part of.
    assert f"--working-directory={RELEASE}" in copy
    assert copy[-6:-3] == restart[-6:-3] == (f"{RELEASE}/.venv/bin/python", "-m", boot_convert.__name__)
    assert copy[-3:] == ("copy", "/dev/disk/by-id/md-name-any:root", LINK)
    assert restart[-3:] == ("restart", "/dev/disk/by-id/md-name-any:root", LINK)


@pytest.mark.parametrize(
    ("serial", "mark"), [("4C53-A", "4C53-A"), ("WD 12/3", "WD123"), (None, ""), ("", "")]
)
def test_a_disk_is_marked_by_its_serial(serial: str | None, mark: str) -> None:
    assert loader_mark(serial) == mark


def test_the_helper_takes_nothing_that_the_program_alone_runs() -> None:
    own = {kind for kind in vars(convert_program).values() if isinstance(kind, type)} - {Command}
    assert len(own) > 20
    assert own & set(get_args(AnyCommand)) == set()
