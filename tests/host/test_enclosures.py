"""Enclosures as odd as those that people reported (tests/composed/enclosures), and their lights."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from host.base import Result, check
from host.commands.base import Command
from host.commands.closed import decode, encode
from host.commands.disks.enclosure import EnclosureFiles, ListEnclosures, SlotLight
from host.inventory import Enclosure
from host.probe.disks.enclosures import parse_enclosure_list, read_enclosures

MACHINES = Path(__file__).parents[1] / "composed" / "enclosures"


class Sysfs:
    """A host that knows the three answers about enclosures."""

    kind = "local"

    def __init__(self, machine: str) -> None:
        self.answers = json.loads((MACHINES / f"{machine}.json").read_text())
        self.asked: list[Command] = []

    def run(self, command: Command) -> Result:
        self.asked.append(decode(encode(command)))  # as the helper does: patterns are checked
        if isinstance(command, ListEnclosures):
            return Result(exit=0, stdout="".join(f"{line}\n" for line in self.answers["list"]))
        if isinstance(command, EnclosureFiles):
            return check(command, Result(exit=2, stdout="".join(f"{x}\n" for x in self.answers["files"])))
        return Result(exit=0, stdout="".join(self.answers["devices"]))


def enclosures(machine: str) -> tuple[Enclosure, ...]:
    return read_enclosures(Sysfs(machine))


def slots(machine: str) -> list[tuple[int | None, str, str | None]]:
    (enclosure,) = enclosures(machine)
    return [(slot.number, slot.folder, slot.hctl) for slot in enclosure.slots]


def test_the_slot_file_counts_and_not_the_folders_name() -> None:
    found = slots("slot01-from-0")
    assert found[:2] == [(0, "Slot01", "17:0:0:0"), (1, "Slot02", "17:0:1:0")]
    assert [number for number, _, _ in found] == list(range(12))
    assert found[4] == (4, "Slot05", None)
    (enclosure,) = enclosures("slot01-from-0")
    assert (enclosure.id, enclosure.hctl) == ("0x5003048020f5eabd", "17:0:8:0")
    assert [slot.number for slot in enclosure.slots if slot.locating] == [2]
    assert [slot.number for slot in enclosure.slots if slot.faulty] == [3]


def test_folders_that_are_numbers_are_not_taken_for_slots() -> None:
    assert [(n, folder) for n, folder, _ in slots("folders-are-numbers")] == [
        (0, "8"), (1, "9"), (2, "10"), (3, "11"), (4, "12"),
    ]  # fmt: skip


def test_duplicate_numbers_are_kept_for_whoever_must_not_trust_them() -> None:
    found = slots("duplicate-slots")
    assert [number for number, _, _ in found] == [1, 2, 3, 4, 4, 4, 4, 4, 9, 10, 11, 12]
    assert len({hctl for _, _, hctl in found}) == 12


def test_two_expanders_with_one_id_stay_two() -> None:
    one, other = enclosures("two-expanders-one-id")
    assert one.id == other.id
    assert (one.hctl, other.hctl) == ("1:0:24:0", "1:0:49:0")
    assert (one.slots[5].hctl, other.slots[5].hctl) == ("1:0:5:0", "1:0:30:0")
    assert one.slots[5].path != other.slots[5].path
    assert not {slot.path for slot in one.slots} & {slot.path for slot in other.slots}


def test_what_is_missing_is_unknown_and_an_enclosure_without_slots_is_none() -> None:
    (enclosure,) = enclosures("missing-links")
    by_folder = {slot.folder: slot for slot in enclosure.slots}
    assert by_folder["Slot00"].hctl == "0:2:0:0"
    assert by_folder["Slot01"].hctl is None  # its link leads nowhere
    assert by_folder["Slot02"].hctl is None
    assert (by_folder["Slot03"].number, by_folder["Slot03"].hctl) == (None, "0:2:3:0")
    assert (by_folder["Slot04"].locating, by_folder["Slot04"].faulty) == (None, None)
    assert (by_folder["Slot05"].number, by_folder["Slot05"].locating) == (None, False)
    assert (by_folder["Slot06"].number, by_folder["Slot06"].hctl) == (None, None)
    assert enclosure.slots[-1].number is None


def test_a_link_that_the_kernel_forgot_makes_two_slots_claim_one_disk() -> None:
    one, other = enclosures("one-disk-in-two-slots")
    assert one.slots[1].hctl == other.slots[0].hctl == "2:0:1:0"


def test_names_keep_their_blanks() -> None:
    found = slots("names-with-blanks")
    assert found == [
        (0, "Slot 01", "6:0:2:0"), (1, "Slot 01 ", "6:0:1:0"), (2, "Disk001", None),
        (3, "ARRAY DEVICE 01", "6:0:0:0"), (4, "Bay 4:A", "6:0:4:0"),
    ]  # fmt: skip
    (enclosure,) = enclosures("names-with-blanks")
    command = SlotLight(path=enclosure.slots[1].path, on=True)
    assert decode(encode(command)) == command
    assert command.argv()[1].endswith("/enclosure/6:0:3:0/Slot 01 /locate")


def test_without_an_enclosure_one_command_is_all() -> None:
    host = Sysfs("slot01-from-0")
    host.answers["list"] = []
    assert read_enclosures(host) == ()
    assert host.asked == [ListEnclosures()]


def test_links_that_lead_elsewhere_are_no_enclosures() -> None:
    lines = "../../devices/virtual/thing\n/etc/passwd\n../../../etc/enclosure/1:0:0:0\n"
    assert parse_enclosure_list(lines) == ()


def test_a_light_is_one_word_to_one_file_and_shown_whole() -> None:
    path = "/sys/devices/pci0000:00/0000:03:00.0/host0/target0:0:12/0:0:12:0/enclosure/0:0:12:0/Slot01"
    on, off = SlotLight(path=path, on=True), SlotLight(path=path, on=False)
    assert (on.argv(), on.input(), off.input()) == (("tee", f"{path}/locate"), "1\n", "0\n")
    assert on.shown() == ("tee", f"{path}/locate", "<<<", "1")
    assert off.shown() != on.shown()


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/sys/devices/x/enclosure/0:0:0:0",
        "/sys/devices/x/enclosure/0:0:0:0/a/b",
        "/sys/devices/x/enclosure/0:0:0:0/..",
        "/sys/devices/x/../enclosure/0:0:0:0/Slot01",
        "/sys/devices/../../etc/enclosure/0:0:0:0/Slot01",
        "/sys/devices/x/enclosure/0:0:0:0/Slot\n01",
        "/sys/devices/x/enclosure/0:0:0/Slot01",
        "/sys/class/enclosure/0:0:0:0/Slot01",
        "x/sys/devices/x/enclosure/0:0:0:0/Slot01",
    ],
)
def test_a_light_is_written_nowhere_else(path: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(encode(SlotLight(path=path, on=True)))
