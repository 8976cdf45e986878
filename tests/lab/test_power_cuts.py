"""The plug is drawn at twelve points of the first hour, in the middle of what is under way.

Each time the machine starts again by itself, nothing has failed, what was finished is there, and the wizard
goes on where it was: the step that was cut short can simply be done again.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.lab import hold_process
from tests.lab.console import PASSWORD, Console, request
from tests.lab.disks import sata, usb
from tests.lab.machine import Machine
from tests.lab.new_machine import (
    SMALL,
    STICK,
    TIMEOUT_S,
    another_code,
    claimed,
    code_on_screen,
    failed_units,
    from_stick,
    refresh_inventory,
    rows,
    wait_until_up,
)
from tests.lab.pool_life import until

pytestmark = pytest.mark.drill
FIRST, SECOND = (usb(number, size_bytes=STICK) for number in (1, 2))
_ENDED = {"interrupted", "failed", "succeeded"}
_PROCESSES = "uptime; ps axo pid,etimes,stat,wchan:24,args | grep -v '\\['"
_HOLD = "drill-hold.service"
_GRUB = "/bin/sh /usr/local/libexec/nasweb-boot-copy"


class Wizard:
    """A machine on its first day, and the API that its wizard is made of."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.console: Console
        self.done: set[str] = set()  # the steps that may not be lost any more

    def states(self) -> dict[str, str]:
        """Each step's state, in a fresh inventory."""
        refresh_inventory(self.console)
        found = self.console.get("system/first-boot/")
        return {one["step"]: one["state"] for one in found["steps"]}

    def cut(self) -> None:
        """Draw the plug, start again, and see that nothing was lost."""
        self.machine.cut_power()
        self.machine.boot()
        wait_until_up(self.machine)
        assert failed_units(self.machine) == ""
        if self.done:
            states = self.states()
            kept = {step for step in self.done if states[step] in {"done", "busy", "later"}}
            assert kept == self.done, states

    def cut_during(self, command: str, method: str, path: str, body: Any) -> str:
        """Draw the plug while a job's `command` is held in its midst; the state it reports afterwards."""
        self.machine.run("cat > /run/hold.py", input=Path(hold_process.__file__).read_text())
        self.machine.run(["systemd-run", "--unit", _HOLD, "python3", "/run/hold.py", command])
        job = self.submitted(method, path, body)
        try:
            _, when = until(lambda: self._under_way(job, command), limit_s=300, every_s=1)
        except pytest.fail.Exception:
            print(f"\n  {self.console.get(f'jobs/{job}/')}", self.machine.run(_PROCESSES).stdout, sep="\n")
            raise
        self.cut()
        view = self.console.end_of(job)
        detail = (view["error"] or {}).get("detail")
        print(f"\n  cut while it was {when}; the job afterwards: {view['state']}: {detail}", flush=True)
        assert view["state"] in _ENDED
        return str(view["state"])

    def submitted(self, method: str, path: str, body: Any) -> int:
        """The number of a job that is under way; what it destroys is confirmed."""
        answer = self.console.ask(method, path, body)
        if answer.status == 409 and "plan" in answer.body:
            answer = self.console.ask(method, path, {**body, "digest": answer.body["plan"]["digest"]})
        assert answer.status == 202, answer
        return int(answer.body["id"])

    def again(self, step: str, method: str, path: str, body: Any) -> None:
        """Do a step once more unless it had been done; then it is done for good."""
        if self.states()[step] == "open":
            self.console.do(method, path, body)
        self.is_done(step)

    def is_done(self, step: str) -> None:
        """It must be, and stay so."""
        state = self.states()[step]
        assert state in {"done", "busy"}, (step, state)
        self.done.add(step)

    def say(self, **steps: str) -> None:
        """Decide on steps without doing them."""
        answer = self.console.ask("PATCH", "system/first-boot/", {"steps": steps})
        assert answer.status == 200, answer
        self.done |= set(steps)

    def free_disks(self) -> list[str]:
        """The disks that a pool may have."""
        disks = self.console.get("disks/")["results"]
        return [disk["id"] for disk in disks if disk["transport"] == "sata"]

    def _under_way(self, job: int, command: str) -> str | None:
        if self.machine.run(["systemctl", "is-active", "--quiet", _HOLD], check=False).exit:
            return f"running {command}"
        state = str(self.console.get(f"jobs/{job}/")["state"])
        return state if state in _ENDED else None


@pytest.fixture(scope="module")
def wizard() -> Iterator[Wizard]:
    """One machine goes through all of it."""
    disks = (SECOND, *(sata(number, size_bytes=SMALL) for number in (1, 2)))
    with from_stick(FIRST, disks) as machine:
        machine.boot()
        wait_until_up(machine)
        yield Wizard(machine)


def test_before_anybody_came(wizard: Wizard) -> None:
    before = code_on_screen(wizard.machine)
    wizard.cut()
    assert another_code(wizard.machine, before) != before
    assert claimed(wizard.machine) is False


def test_right_after_it_was_claimed(wizard: Wizard) -> None:
    body = {"code": code_on_screen(wizard.machine), "username": "ada", "password": PASSWORD}
    answer = request(wizard.machine, "POST", "setup/", body)
    assert answer.status == 201, answer
    wizard.cut()
    assert claimed(wizard.machine) is True
    assert rows(wizard.machine, "select username from accounts_user") == ["ada"]
    wizard.console = Console(wizard.machine, claimed=True)
    wizard.is_done("account")


def test_while_it_gets_its_name(wizard: Wizard) -> None:
    name = ("PUT", "system/settings/name/", {"name": "attic"})
    wizard.cut_during("hostnamectl", *name)
    settings = wizard.console.get("system/settings/")
    assert settings["name"] == settings["kept_name"]
    if settings["name"] != "attic":
        wizard.console.do(*name)
    assert wizard.machine.run("hostname; grep -c attic /etc/hosts").stdout.split() == ["attic", "1"]


def test_while_it_moves_to_another_time_zone(wizard: Wizard) -> None:
    wizard.cut_during("timedatectl set", "PUT", "system/settings/time-zone/", {"time_zone": "Europe/Berlin"})
    wizard.again("name", "PUT", "system/settings/time-zone/", {"time_zone": "Europe/Berlin"})


def add(wizard: Wizard) -> tuple[str, str, dict[str, str]]:
    """What makes the second stick the other half."""
    disks = wizard.console.get("disks/")["results"]
    stick = next(disk["id"] for disk in disks if disk["serial"] == SECOND.serial)
    return "POST", "boot/add/", {"disk": stick}


def test_while_the_second_stick_gets_its_boot_loader(wizard: Wizard) -> None:
    wizard.cut_during(_GRUB, *add(wizard))
    wizard.again("boot", *add(wizard))


def test_while_the_second_stick_is_filled(wizard: Wizard) -> None:
    if "recovery" in wizard.machine.run("cat /proc/mdstat").stdout:
        wizard.machine.wait_until("awk '/recovery =/ { exit !($4 + 0 > 5) }' /proc/mdstat", timeout_s=1800)
    wizard.cut()
    until(lambda: wizard.states()["boot"] == "done", limit_s=2400, every_s=5)


def test_while_a_change_of_the_network_waits_to_be_kept(wizard: Wizard) -> None:
    (port,) = [one for one in wizard.console.get("network/")["interfaces"] if one["why_not"] is None]
    fixed = {"method": "fixed", "addresses": ["10.0.2.97/24"], "gateway": "10.0.2.2"}
    wizard.submitted("PUT", f"network/interfaces/{port['name']}/", {"ipv4": fixed})
    until(lambda: not wizard.machine.shell.boot_id(), limit_s=60)
    wizard.cut()
    assert wizard.states()["network"] == "open"
    network = wizard.console.get("network/")
    assert (network["pending"], network["undone"]["interface"]) == (None, port["name"])
    wizard.say(network="settled", bays="later")


def test_while_the_pool_is_made(wizard: Wizard) -> None:
    vdevs = [{"role": "data", "layout": "mirror", "disks": wizard.free_disks()}]
    pool = ("POST", "pools/", {"name": "tank", "vdevs": vdevs})
    wizard.cut_during("sgdisk", *pool)  # for one in the middle of `zpool create` see test_pool_life_power.py
    wizard.again("pool", *pool)
    assert wizard.console.get("pools/tank/")["health"] == "healthy"


def test_while_somebody_is_added(wizard: Wizard) -> None:
    anna = ("POST", "users/", {"name": "anna", "password": "words of anna"})
    wizard.cut_during("useradd", *anna)
    people = {one["name"]: one for one in wizard.console.get("users/")["results"]}
    if "anna" not in people:
        wizard.console.do(*anna)
    elif not people["anna"]["password"]:
        wizard.console.do("POST", "users/anna/password/", {"password": "words of anna"})


def test_while_a_folder_is_shared(wizard: Wizard) -> None:
    share = {"dataset": "tank/films", "create": True, "name": "films", "write": ["anna"]}
    wizard.cut_during("zfs create", "POST", "shares/folder/", share)
    there = [one["name"] for one in wizard.console.get("datasets/?limit=1000")["results"]]
    wizard.again("share", "POST", "shares/folder/", {**share, "create": "tank/films" not in there})


def test_while_a_copy_of_the_settings_is_written(wizard: Wizard) -> None:
    wizard.cut_during("systemd-run .*nasweb-copies-keep", "POST", "configuration/copies/", {})
    wizard.console.do("POST", "configuration/copies/", {})
    (pool,) = wizard.console.read("configuration/copies/")["results"]
    assert pool["copies"], pool
    assert [one["problem"] for one in pool["copies"]] == [None] * len(pool["copies"])


def test_right_after_the_last_page(wizard: Wizard) -> None:
    wizard.say(notifications="later")
    answer = wizard.console.ask("PATCH", "system/first-boot/", {"finished": True})
    assert (answer.status, answer.body["left"]) == (200, 0)
    wizard.cut()
    found = wizard.console.get("system/first-boot/")
    assert (found["finished"], found["left"], found["next"]) == (True, 0, None)
    assert wizard.machine.run("hostname").stdout == "attic\n"
    wizard.machine.wait_until("test -d /mnt/tank/films", timeout_s=TIMEOUT_S)
