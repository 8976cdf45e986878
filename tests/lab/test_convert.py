"""A system on one stick, as Debian's installer leaves it, moves onto two; now and then the plug is drawn.

The machine starts by its own firmware from a plain variant of the image, so this module takes its time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.lab.appliance import build_flash_image
from tests.lab.console import Console
from tests.lab.disks import GB, usb
from tests.lab.machine import Machine
from tests.lab.new_machine import STICK, refresh_inventory, wait_until_up
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
FIRST, SECOND = (usb(number, size_bytes=STICK) for number in (1, 2))
_LONGEST_S = 3600.0  # emulated, the copy and its initramfs take long
_NOTES = "/var/lib/nasweb-boot/convert.json"  # which the program keeps while it works
_CHOSEN = "grub-editenv /boot/grub/grubenv list | grep -qx next_entry=nasweb-copy"


class Moving:
    """A machine whose system is on the first stick, and its console."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        wait_until_up(machine)
        self.console = Console(machine)
        refresh_inventory(self.console)
        self._last = ""  # when the run of the program before this one began

    def conversion(self) -> dict[str, Any]:
        """What the console says of the move now."""
        refresh_inventory(self.console)
        found: dict[str, Any] = self.console.get("boot/convert/")
        return found

    def copy_is(self, *states: str, running: bool | None = None) -> bool:
        """Whether the copy is in one of these states."""
        copy = self.conversion()["copy"]
        return (
            copy is not None and copy["state"] in states and (running is None or copy["running"] == running)
        )

    def noted(self) -> dict[str, Any]:
        """What the program notes of its current run; empty until it begins.

        The console reports the same, but each of its probes takes processor time that the copy needs.
        """
        said = self.machine.run(["cat", _NOTES], check=False).stdout
        notes: dict[str, Any] = json.loads(said) if said else {}
        return {} if notes.get("started_at") == self._last else notes

    def goes_well(self) -> bool:
        """Whether nothing has failed yet. Raises AssertionError with what the program says of it."""
        notes = self.noted()
        assert notes.get("state") != "failed", notes["words"]
        return True

    def begin(self) -> None:
        """Plan the copy, and let it begin."""
        until(lambda: self.conversion()["candidates"], limit_s=300)
        self.another_run()
        self.console.do("POST", "boot/convert/", {"disk": self.stick(SECOND.serial)})

    def go_over(self) -> None:
        """Let the copy get what was written meanwhile, and the machine restart into it."""
        self.another_run()
        self.console.submit("POST", "boot/convert/restart/")

    def another_run(self) -> None:
        """What is noted now is of no run to come."""
        self._last = str(self.noted().get("started_at", self._last))

    def wait_for_copy(self) -> float:
        """Seconds until it is whole."""
        seconds, _ = until(
            lambda: self.goes_well() and self.noted().get("state") == "copied", limit_s=_LONGEST_S, every_s=5
        )
        assert self.copy_is("copied"), self.conversion()["copy"]
        return seconds

    def restart(self) -> None:
        """Into the copy; returns once the machine is up again, from wherever."""
        before = self.machine.shell.boot_id()
        self.go_over()
        self.machine.wait_for_another_start(before, timeout_s=_LONGEST_S)
        self.up()

    def start_again(self, *sticks: str) -> None:
        """Turn the machine off, and on again with these sticks alone."""
        self.machine.shutdown()
        for disk in (FIRST.id, SECOND.id):
            self.machine.pull_disk(disk)
        for disk in sticks:
            self.machine.insert_disk(disk)
        self.machine.boot()
        self.up()

    def up(self) -> None:
        """The console answers, from a picture taken now."""
        wait_until_up(self.machine)
        refresh_inventory(self.console)

    def stick(self, serial: str) -> str:
        """The id of a stick."""
        disks = self.console.get("disks/")["results"]
        return str(next(disk["id"] for disk in disks if disk["serial"] == serial))

    def root_is_on(self) -> set[str]:
        """The serials of the disks that the running root lies on."""
        root = self.machine.run("findmnt --noheadings --output SOURCE /").stdout.strip()
        lines = self.machine.run(f"lsblk --inverse --noheadings --raw --output SERIAL {root}").stdout
        return set(lines.split())

    def halves(self, state: str = "whole") -> set[str]:
        """The serials of the halves in that state."""
        refresh_inventory(self.console)
        return {half["serial"] for half in self.console.get("boot/")["halves"] if half["state"] == state}


@pytest.fixture(scope="module")
def moving() -> Iterator[Moving]:
    with Machine(None, (FIRST, SECOND)) as machine:
        machine.write_disk(FIRST.id, build_flash_image(plain=True).disk)
        machine.boot()
        yield Moving(machine)


def _begun(moving: Moving) -> bool:
    return moving.noted().get("state") == "copying"


def _copying(moving: Moving) -> bool:
    notes = moving.noted()
    return bool(notes) and notes["done_bytes"] > 0.3 * notes["total_bytes"] > 0


def _making_initramfs(moving: Moving) -> bool:
    return moving.machine.run("pgrep --full update-initramfs", check=False).exit == 0


def _copied(moving: Moving) -> bool:
    return moving.noted().get("state") == "copied"


def test_it_runs_from_the_first_stick_alone(moving: Moving) -> None:
    assert moving.root_is_on() == {FIRST.serial}
    found = moving.conversion()
    assert found["runs_from"]["disk"] == moving.stick(FIRST.serial)
    assert found["runs_from"]["mountpoints"] == ["/"]
    assert found["candidates"] == [moving.stick(SECOND.serial)]
    assert moving.console.get("boot/")["pair"] is False
    print(f"the system takes {found['runs_from']['used_bytes'] / GB:.2f} GB")


@pytest.mark.parametrize(
    "moment", [_begun, _copying, _making_initramfs, _copied], ids=["begun", "copying", "initramfs", "copied"]
)
def test_the_plug_is_drawn_while_it_is_copied(moving: Moving, moment: Callable[[Moving], bool]) -> None:
    moving.begin()
    until(lambda: moving.goes_well() and moment(moving), limit_s=_LONGEST_S, every_s=1)
    moving.machine.cut_power()
    moving.machine.boot()
    moving.up()
    assert moving.root_is_on() == {FIRST.serial}
    assert not moving.copy_is("copying")
    second = moving.stick(SECOND.serial)
    plan = moving.console.ask("POST", "boot/convert/?dry_run=true", {"disk": second})
    assert plan.status == 200, plan


def test_the_plug_is_drawn_while_what_was_written_meanwhile_is_copied(moving: Moving) -> None:
    if not moving.copy_is("copied"):  # it may have been whole when the plug was drawn
        moving.begin()
        print(f"copied in {moving.wait_for_copy():.0f} s")
    moving.go_over()
    until(lambda: moving.goes_well() and _making_initramfs(moving), limit_s=_LONGEST_S, every_s=1)
    moving.machine.cut_power()
    moving.machine.boot()
    moving.up()
    assert moving.root_is_on() == {FIRST.serial}
    assert moving.copy_is("restarting", running=False)


def test_a_copy_that_is_not_found_lets_the_old_system_start(moving: Moving) -> None:
    """GRUB finds no array where the second stick is gone, and is set to search for it once only."""
    # The restart goes well, but nothing comes of it.
    target = "printf '[Unit]\\nDescription=No restart\\n' >/run/systemd/system/reboot.target"
    moving.machine.run(f"{target}; systemctl daemon-reload")
    moving.go_over()
    moving.machine.wait_until(_CHOSEN, timeout_s=_LONGEST_S)
    moving.machine.wait_until("! systemctl is-active --quiet nasweb-boot-convert.service")
    assert moving.machine.run(_CHOSEN, check=False).exit == 0
    moving.start_again(FIRST.id)
    assert moving.root_is_on() == {FIRST.serial}
    moving.start_again(FIRST.id, SECOND.id)
    assert moving.root_is_on() == {FIRST.serial}


def test_a_machine_that_cannot_restart_goes_on_and_forgets_the_copy(moving: Moving) -> None:
    moving.machine.run("systemctl mask --runtime reboot.target")
    moving.go_over()
    failed = """grep -q '"state":"failed"' /var/lib/nasweb-boot/convert.json"""
    moving.machine.wait_until(failed, timeout_s=_LONGEST_S)
    moving.machine.wait_until("! systemctl is-active --quiet nasweb-boot-convert.service")
    assert moving.machine.run(_CHOSEN, check=False).exit == 1
    moving.machine.run("systemctl unmask --runtime reboot.target")
    moving.up()
    assert moving.copy_is("failed", running=False)


def test_it_restarts_into_the_copy_with_what_was_written_last(moving: Moving) -> None:
    moving.begin()
    moving.wait_for_copy()
    moving.machine.run("echo written after the copy > /root/note; chmod u+s /root/note; sync /root/note")
    moving.restart()
    assert moving.root_is_on() == {SECOND.serial}
    assert moving.machine.run("cat /root/note; stat -c %a /root/note").stdout.split("\n")[:2] == [
        "written after the copy", "4644",
    ]  # fmt: skip
    assert moving.machine.run("stat -c %a /usr/bin/su").stdout == "4755\n"
    assert moving.machine.run("systemctl --failed --no-legend --plain").stdout == ""
    assert moving.halves() == {SECOND.serial}
    assert moving.conversion()["copy"] is None


def test_the_first_stick_becomes_the_other_half(moving: Moving) -> None:
    moving.console.do("POST", "boot/add/", {"disk": moving.stick(FIRST.serial)})
    seconds, _ = until(
        lambda: moving.halves() == {FIRST.serial, SECOND.serial}, limit_s=_LONGEST_S, every_s=20
    )
    print(f"resync: {seconds:.0f} s")
    adoption = moving.console.get("boot/adopt/")
    assert adoption["adopted"] is True, adoption


@pytest.mark.parametrize("stick", [FIRST, SECOND], ids=["first", "second"])
def test_either_stick_starts_the_machine_alone(moving: Moving, stick: Any) -> None:
    moving.start_again(stick.id)
    assert moving.halves() == {stick.serial}
    other = SECOND if stick is FIRST else FIRST
    moving.machine.insert_disk(other.id)
    moving.machine.wait_until(f"lsblk -dno SERIAL | grep -qx {other.serial}")
    refresh_inventory(moving.console)
    if other.serial not in moving.halves() | moving.halves("rebuilding"):
        moving.console.do("POST", "boot/add/", {"disk": moving.stick(other.serial)})
    until(lambda: moving.halves() == {FIRST.serial, SECOND.serial}, limit_s=_LONGEST_S, every_s=20)
