"""The lab keeps its own promises: what is pulled is gone, what was flushed survives."""

import re

import pytest

from tests.lab import rescue
from tests.lab.disks import sas
from tests.lab.machine import Machine
from tests.lab.shell import CommandError
from tests.lab.trees import LabError

pytestmark = pytest.mark.drill


def test_a_command_that_fails_raises_with_its_words(machine: Machine) -> None:
    with pytest.raises(CommandError, match="no such pool"):
        machine.run(["zpool", "list", "nothing"])


def test_input_reaches_the_command(machine: Machine) -> None:
    assert machine.run("cat", input="a line\n").stdout == "a line\n"


@pytest.mark.parametrize("disk_id", ["sata2", "usb1"])
def test_a_pulled_disk_is_gone_until_it_is_inserted(machine: Machine, disk_id: str) -> None:
    machine.pull_disk(disk_id)
    with pytest.raises(LabError, match="does not see"):
        machine.kernel_name(disk_id)
    machine.insert_disk(disk_id)
    machine.wait_until(f"lsblk -dno SERIAL | grep -qx {machine.disks[disk_id].serial}")


def test_a_new_disk_appears_while_the_machine_runs(machine: Machine) -> None:
    disk = sas(20)
    machine.add_disk(disk)
    machine.wait_until(f"lsblk -dno SERIAL | grep -qx {disk.serial}")
    machine.pull_disk(disk.id)


def test_what_was_flushed_survives_a_power_cut(machine: Machine) -> None:
    machine.run("echo kept > /root/flushed; sync /root/flushed")
    machine.cut_power()
    machine.boot()
    assert machine.run("cat /root/flushed").stdout == "kept\n"


def test_a_reboot_is_another_boot(machine: Machine) -> None:
    before = machine.shell.boot_id()
    machine.reboot()
    assert machine.shell.boot_id() not in ("", before)


def test_the_rescue_shell_answers_without_ssh(machine: Machine) -> None:
    said = re.sub(r"\x1b\[[0-9;]*m", "", rescue.answers(machine.folder))  # `ip` colours what a terminal shows
    assert "10.0.2.15/24" in said and "load average" in said
