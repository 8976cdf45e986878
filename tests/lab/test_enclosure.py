"""An enclosure through the kernel's own drivers: what it reports is read, and its lights obey."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.client import HelperHost
from host.commands.disks.enclosure import SlotLight
from host.inventory import Enclosure
from host.probe.disks.enclosures import read_enclosures
from tests.lab import shelf
from tests.lab.machine import Machine

pytestmark = pytest.mark.drill
LIT = "/run/shelf.json"


@pytest.fixture(scope="module")
def helper(machine: Machine) -> Iterator[HelperHost]:
    """The root helper of a machine that has a shelf."""
    machine.copy(Path(shelf.__file__), "/root/shelf.py")
    machine.run(["systemd-run", "--unit=shelf", "python3", "/root/shelf.py", LIT])
    machine.wait_until("ls /sys/class/enclosure | grep -q :", timeout_s=120)
    socket = machine.folder / "helper-of-shelf.sock"
    machine.shell.forward(socket, "/run/nasweb/helper.sock")
    yield HelperHost(socket)
    machine.run("systemctl kill --signal KILL shelf", check=False)


def the_shelf(helper: HelperHost) -> Enclosure:
    (found,) = read_enclosures(helper)
    return found


def lit(machine: Machine) -> list[int]:
    found: list[int] = json.loads(machine.run(["cat", LIT]).stdout)
    return found


def test_slots_are_numbered_by_what_the_shelf_says_and_not_by_their_names(helper: HelperHost) -> None:
    found = the_shelf(helper)
    assert int(found.id, 16) == shelf.LOGICAL_ID
    assert [slot.number for slot in found.slots] == list(range(12))
    assert [slot.folder.strip() for slot in found.slots] == [name.strip() for name in shelf.NAMES]
    assert {(slot.locating, slot.faulty, slot.hctl) for slot in found.slots} == {(False, False, None)}


def test_a_light_is_switched_in_the_shelf_and_read_back(machine: Machine, helper: HelperHost) -> None:
    fourth = the_shelf(helper).slots[3]
    helper.run(SlotLight(path=fourth.path, on=True))
    assert lit(machine) == [3]
    assert [slot.number for slot in the_shelf(helper).slots if slot.locating] == [3]
    helper.run(SlotLight(path=fourth.path, on=False))
    assert lit(machine) == []
    assert [slot.number for slot in the_shelf(helper).slots if slot.locating] == []
