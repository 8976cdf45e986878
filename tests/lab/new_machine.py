"""What the drills on new machines share: sticks with the image, the code on the screen, and being up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from http.client import HTTPException

from tests.lab.appliance import build_flash_image
from tests.lab.console import Console, request
from tests.lab.disks import GB, Disk
from tests.lab.machine import Machine
from tests.lab.pool_life import until

STICK = 5 * GB  # larger than the image, so that it grows; small, so that a resync ends
SMALL = 8 * GB
# Emulated, and with a resync under way, the console takes minutes to come up.
TIMEOUT_S = 900.0
_ISSUE = "/run/issue.d/nasweb.issue"
_CODE = re.compile(r"\b(?:[A-Z0-9]{4}-){2}[A-Z0-9]{4}\b")
_UNITS = "nginx nasweb-redis nasweb-web nasweb-worker"
DATABASE = "/var/lib/nasweb/nasweb.sqlite3"


def from_stick(stick: Disk, others: Iterable[Disk]) -> Machine:
    """A machine, off, that will start from the image on `stick`."""
    machine = Machine(None, (stick, *others))
    machine.write_disk(stick.id, build_flash_image().disk)
    return machine


def wait_until_up(machine: Machine) -> None:
    """Returns once all of the console runs and answers."""
    each = f"for unit in {_UNITS}; do systemctl is-active --quiet $unit || exit 1; done"
    machine.wait_until(each, timeout_s=TIMEOUT_S)
    until(lambda: claimed(machine) is not None, limit_s=TIMEOUT_S, every_s=2)


def refresh_inventory(console: Console) -> None:
    """Returns once the inventory was read now."""
    until(
        lambda: console.ask("POST", "inventory/refresh/", Prefer="wait=60").status == 200, limit_s=TIMEOUT_S
    )


def claimed(machine: Machine) -> bool | None:
    """Whether somebody has claimed it; None while the console does not answer."""
    try:
        answer = request(machine, "GET", "setup/")
    except (OSError, HTTPException, ValueError):
        return None
    return bool(answer.body["claimed"]) if answer.status == 200 else None


def code_on_screen(machine: Machine) -> str:
    """The code above the login prompt, which comes up a moment after the console."""
    return str(until(lambda: _code(machine), limit_s=TIMEOUT_S, every_s=2)[1])


def another_code(machine: Machine, before: str) -> str:
    """The code above the login prompt, once it is no longer the one before."""
    return str(until(lambda: _other(machine, before), limit_s=TIMEOUT_S, every_s=2)[1])


def codes_shown(machine: Machine) -> list[str]:
    """All codes that the serial console, which is a screen too, has shown up to now, the newest last."""
    return _CODE.findall(machine.console.read_text(errors="replace"))


def greeting(machine: Machine) -> str:
    """What every screen of the machine says above the login prompt."""
    return machine.run(["cat", _ISSUE], check=False).stdout


def failed_units(machine: Machine) -> str:
    """The units that systemd could not start; empty where all is well."""
    return machine.run("systemctl --failed --no-legend --plain").stdout


def rows(machine: Machine, query: str) -> list[str]:
    """The first column of a query to the console's database."""
    program = (
        "import sqlite3, sys\n"
        "connection = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True, timeout=20)\n"
        "for row in connection.execute(sys.argv[2]): print(row[0])\n"
    )
    said = machine.run(["runuser", "-u", "nasweb", "--", "python3", "-c", program, DATABASE, query])
    return said.stdout.splitlines()


def _other(machine: Machine, before: str) -> str | None:
    code = _code(machine)
    return None if code == before else code


def _code(machine: Machine) -> str | None:
    found = _CODE.search(greeting(machine))
    return found[0] if found else None
