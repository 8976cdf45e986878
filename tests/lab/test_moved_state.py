"""/var and /home on a pool, a start without that pool, and the way back; and swap over both sticks.

The machine starts by its own firmware from what `make image` makes, so this module takes its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.lab.appliance import build_flash_image
from tests.lab.disks import GB, sata, usb
from tests.lab.machine import Machine
from tests.lab.new_machine import wait_until_up
from tests.lab.pair import Pair
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
STICK = 16 * GB  # from this size on the image leaves room for swap
FIRST, SECOND = (usb(number, size_bytes=STICK) for number in (1, 2))
OWN = "/home/own"  # something else that the owner mounts there
DATA = (sata(1, size_bytes=8 * GB), sata(2, size_bytes=8 * GB))


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    with Machine(None, (FIRST, SECOND, *DATA)) as machine:
        machine.write_disk(FIRST.id, build_flash_image().disk)
        machine.boot()
        found = Pair(machine)
        found.console.do("POST", "boot/add/", {"disk": found.stick(SECOND.serial)})
        found.wait_until_whole(FIRST.serial, SECOND.serial)
        yield found


def fresh(pair: Pair, path: str) -> dict[str, Any]:
    """What the console says after a refresh."""
    pair.console.fresh()
    answer: dict[str, Any] = pair.console.get(path)
    return answer


def is_reported(pair: Pair) -> bool:
    """Whether an open alert says with which /var the machine runs."""
    alerts = pair.console.get("alerts/?open=true")["results"]
    return any("runs with /var and /home from" in one["title"] for one in alerts)


def restart(pair: Pair) -> None:
    """As a person does it, and until the console answers."""
    pair.machine.reboot()
    wait_until_up(pair.machine)
    circles = pair.machine.run("journalctl -b | grep -c 'ordering cycle'", check=False).stdout
    assert circles == "0\n"


def test_swap_goes_to_both_sticks_and_survives_a_start(pair: Pair) -> None:
    assert fresh(pair, "boot/swap/")["kind"] == "zram"
    pair.console.do("POST", "boot/swap/", {"kind": "raid0"})
    restart(pair)
    swap = fresh(pair, "boot/swap/")
    assert (swap["kind"], len(swap["spaces"])) == ("raid0", 1)
    assert swap["spaces"][0]["size_bytes"] > GB


def test_a_start_with_one_stick_goes_without_that_swap_and_the_next_half_brings_it_back(pair: Pair) -> None:
    pair.restart(FIRST.id)
    assert fresh(pair, "boot/swap/")["spaces"] == []
    pair.machine.insert_disk(SECOND.id)
    pair.machine.wait_until(f"lsblk -dno SERIAL | grep -qx {SECOND.serial}")
    if SECOND.serial not in pair.serials() | pair.serials("rebuilding"):
        pair.console.do("POST", "boot/add/", {"disk": pair.stick(SECOND.serial)})
    pair.wait_until_whole(FIRST.serial, SECOND.serial)
    if not fresh(pair, "boot/swap/")["spaces"]:
        # The stick came back by itself, so nothing had to be made anew: the next start finds both.
        restart(pair)
    assert fresh(pair, "boot/swap/")["spaces"]
    pair.console.do("POST", "boot/swap/", {"kind": "zram"})
    assert fresh(pair, "boot/swap/")["kind"] == "zram"


def test_var_and_home_go_to_the_pool(pair: Pair) -> None:
    disks = [pair.stick(disk.serial) for disk in DATA]
    pair.console.do("POST", "pools/", {"name": "tank", "vdevs": [{"layout": "mirror", "disks": disks}]})
    pair.machine.run("install -d /home/lab && echo before > /home/lab/note")
    pair.machine.run(f"install -d {OWN} && echo 'tmpfs {OWN} tmpfs size=1m 0 0' >> /etc/fstab && mount {OWN}")
    pair.console.do("POST", "boot/state/move/", {"pool": "tank"})
    until(lambda: fresh(pair, "boot/state/")["phase"] == "waiting", limit_s=1200, every_s=5)
    # Each start of a service asks for all that the targets before it want: nothing moves by that.
    pair.machine.run("systemctl start systemd-tmpfiles-clean.service; systemd-run --wait --collect true")
    assert fresh(pair, "boot/state/")["phase"] == "waiting"
    restart(pair)
    state = fresh(pair, "boot/state/")
    assert (state["phase"], state["here"]) == ("moved", False)
    assert pair.machine.run("findmnt -no SOURCE /var").stdout == "tank/.nasweb-state/var\n"
    # Seen, and not beneath what came from the pool.
    assert pair.machine.run(f"stat --file-system --format=%T {OWN}").stdout == "tmpfs\n"
    # What belongs to /usr stays with it.
    assert "/dev/md" in pair.machine.run("findmnt -no SOURCE /var/lib/dpkg").stdout
    assert pair.machine.run("dpkg --audit").stdout == ""
    assert pair.machine.run("systemctl --failed --no-legend --plain").stdout == ""
    pair.machine.run("echo after > /home/lab/note; sync /home/lab/note")


def test_without_the_pool_the_machine_starts_from_the_day_of_the_move_and_says_so(pair: Pair) -> None:
    pair.machine.shutdown()
    for disk in DATA:
        pair.machine.pull_disk(disk.id)
    pair.machine.boot()
    wait_until_up(pair.machine)
    state = fresh(pair, "boot/state/")
    assert (state["falls_back"], state["why"]) == (True, "pool-missing")
    assert pair.machine.run("cat /home/lab/note").stdout == "before\n"
    until(lambda: is_reported(pair), limit_s=120)
    pair.machine.run("echo lone > /home/lab/lone; sync /home/lab/lone")


def test_with_the_pool_it_works_with_the_new_state_again(pair: Pair) -> None:
    pair.machine.shutdown()
    for disk in DATA:
        pair.machine.insert_disk(disk.id)
    pair.machine.boot()
    wait_until_up(pair.machine)
    state = fresh(pair, "boot/state/")
    assert (state["phase"], state["falls_back"]) == ("moved", False)
    assert pair.machine.run("cat /home/lab/note").stdout == "after\n"


def test_the_power_is_cut_on_the_way_back_and_nothing_is_lost(pair: Pair) -> None:
    pair.console.do("POST", "boot/state/return/", {})
    pair.machine.cut_power()
    pair.machine.boot()
    wait_until_up(pair.machine)
    state = fresh(pair, "boot/state/")
    assert state["phase"] in {"none", "moved", "returning"}
    if state["phase"] != "none":  # the order was not on the disk yet
        if state["phase"] == "moved":
            pair.console.do("POST", "boot/state/return/", {})
        restart(pair)
        assert fresh(pair, "boot/state/")["phase"] == "none"
    assert pair.machine.run("cat /home/lab/note").stdout == "after\n"
    assert "/dev/md" in pair.machine.run("findmnt -no SOURCE --target /var").stdout
    assert pair.machine.run("ls -d /.nasweb-* /var/.nasweb-*", check=False).stdout == ""
    # What was written while the pool was missing.
    assert pair.machine.run("cat /home.before-*/lab/lone").stdout == "lone\n"
    left = [one["dataset"] for one in fresh(pair, "boot/state/")["left"]]
    assert left == ["tank/.nasweb-state", "tank/.nasweb-state/home", "tank/.nasweb-state/var"]
    pair.console.do("POST", "boot/state/discard/", {"pool": "tank"})
    assert fresh(pair, "boot/state/")["left"] == []
    pair.console.do("POST", "pools/tank/export/", {})
