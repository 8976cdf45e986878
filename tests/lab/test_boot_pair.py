"""The image on a flash drive, its second half, and what is left when either of them goes.

The machine starts by its own firmware from what `make image` makes, so this module takes its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.appliance import build_flash_image
from tests.lab.disks import GB, sata
from tests.lab.machine import Machine
from tests.lab.new_machine import STICK
from tests.lab.pair import FIRST, SECOND, THIRD, Pair
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with Machine(None, (FIRST, SECOND, sata(1, size_bytes=8 * GB), sata(2, size_bytes=8 * GB))) as machine:
        machine.write_disk(FIRST.id, build_flash_image().disk)
        machine.boot()
        yield Pair(machine)


def test_the_first_start_takes_the_room_of_the_stick(pair: Pair) -> None:
    size = int(pair.machine.run("findmnt -bnro SIZE /").stdout)
    assert size > 4.4 * GB, size
    report = pair.boot()
    assert (report["pair"], report["complete"]) == (True, False)
    assert [half["serial"] for half in report["halves"]] == [FIRST.serial]
    failed = pair.machine.run("systemctl --failed --no-legend --plain").stdout
    assert failed == ""
    assert pair.machine.run("journalctl --header | grep -c /var/log/journal", check=False).stdout == "0\n"


def test_the_second_stick_becomes_the_other_half(pair: Pair) -> None:
    pair.console.do("POST", "boot/add/", {"disk": pair.stick(SECOND.serial)})
    seconds = pair.wait_until_whole(FIRST.serial, SECOND.serial)
    print(f"resync of {STICK / GB:.0f} GB: {seconds:.0f} s")
    assert pair.boot()["complete"] is True


@pytest.mark.parametrize(("pulled", "left"), [(FIRST, SECOND), (SECOND, FIRST)], ids=["first", "second"])
def test_either_stick_may_be_pulled_while_it_runs(pair: Pair, pulled: Any, left: Any) -> None:
    pair.machine.pull_disk(pulled.id)
    seconds, alert = until(lambda: pair.alert(pulled.serial), limit_s=120)
    print(f"{pulled.serial} reported after {seconds:.1f} s: {alert['title']}")
    assert pair.serials() == {left.serial}
    pair.machine.run("echo written without it > /root/note; sync /root/note")
    pair.machine.insert_disk(pulled.id)
    pair.machine.wait_until(f"lsblk -dno SERIAL | grep -qx {pulled.serial}")
    if pulled.serial not in pair.serials() | pair.serials("rebuilding"):
        pair.console.do("POST", "boot/add/", {"disk": pair.stick(pulled.serial)})
    pair.wait_until_whole(FIRST.serial, SECOND.serial)


@pytest.mark.parametrize("left", [SECOND, FIRST], ids=["second", "first"])
def test_the_machine_starts_from_either_stick_alone(pair: Pair, left: Any) -> None:
    pair.restart(left.id)
    assert pair.serials() == {left.serial}
    assert pair.machine.run("cat /root/note").stdout == "written without it\n"
    pair.machine.insert_disk("usb1" if left is SECOND else "usb2")
    other = FIRST if left is SECOND else SECOND
    pair.machine.wait_until(f"lsblk -dno SERIAL | grep -qx {other.serial}")
    if other.serial not in pair.serials() | pair.serials("rebuilding"):
        pair.console.do("POST", "boot/add/", {"disk": pair.stick(other.serial)})
    pair.wait_until_whole(FIRST.serial, SECOND.serial)


def test_a_third_stick_takes_the_place_of_one_that_is_gone(pair: Pair) -> None:
    pair.machine.pull_disk(FIRST.id)
    pair.machine.add_disk(THIRD)
    pair.machine.wait_until(f"lsblk -dno SERIAL | grep -qx {THIRD.serial}")
    pair.console.fresh()
    pair.console.do("POST", "boot/add/", {"disk": pair.stick(THIRD.serial)})
    pair.wait_until_whole(SECOND.serial, THIRD.serial)
    pair.restart(THIRD.id)
    assert pair.serials() == {THIRD.serial}


def test_the_same_sticks_start_by_uefi(pair: Pair) -> None:
    pair.machine.shutdown()
    pair.machine.firmware = "uefi"
    pair.machine.boot()
    assert pair.machine.run("test -d /sys/firmware/efi && echo uefi").stdout == "uefi\n"
    pair.console.fresh()
    assert pair.serials() == {THIRD.serial}


def test_a_kernel_without_openzfs_is_held_back_with_the_reason(pair: Pair) -> None:
    run = pair.machine.run
    running = run("uname -r").stdout.strip()
    later = "9.9.9-amd64"
    run(f"for file in vmlinuz initrd.img; do cp /boot/$file-{running} /boot/$file-{later}; done")
    said = run("update-grub 2>&1").stdout
    assert f"Held back, as OpenZFS has no module for it: {later}. {running} stays the default." in said
    first = run("grep -m1 -o 'vmlinuz-[^ ]*' /boot/grub/grub.cfg").stdout.strip()
    assert first == f"vmlinuz-{running}"
    assert run(f"grep -c vmlinuz-{later} /boot/grub/grub.cfg").stdout.strip() != "0"
    run(f"rm /boot/vmlinuz-{later} /boot/initrd.img-{later}; update-grub 2>/dev/null")
