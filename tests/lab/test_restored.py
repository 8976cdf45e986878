"""New sticks, old pool: both flash drives are lost, and everything comes back from the pool.

The machine of the second half of this module starts from a fresh image, with the old disks in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from http.client import HTTPException
from typing import Any

import pytest

from tests.lab.appliance import build_flash_image
from tests.lab.clients import Clients
from tests.lab.console import Console, front_page
from tests.lab.disks import sata, usb
from tests.lab.machine import Machine
from tests.lab.new_machine import (
    DATABASE,
    SMALL,
    STICK,
    TIMEOUT_S,
    code_on_screen,
    failed_units,
    from_stick,
    refresh_inventory,
    rows,
    wait_until_up,
)
from tests.lab.pool_life import importable_pools, until
from tests.lab.shell import CommandError

pytestmark = pytest.mark.drill
OLD, NEW = usb(1, size_bytes=STICK), usb(2, size_bytes=STICK)
ANNA = "words of anna"
POLICY = "hourly=24 daily=30"
CHANNEL = {
    "name": "Family",
    "kind": "discord",
    "fields": {"url": "https://discord.com/api/webhooks/123456/drill-of-the-lab"},
    "enabled": False,  # nothing leaves the lab
}
_FILES = "/mnt/tank/photos"
_AT_WORK = "select count(*) from jobs_job where state in ('queued', 'running')"
_RESTORED = "select succeeded from machine_restoration"


class Old:
    """What the machine was before its sticks were lost."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.console = Console(machine)
        self.digest = ""

    def settings(self) -> dict[str, Any]:
        """All that somebody set, as the console shows it."""
        refresh_inventory(self.console)
        get = self.console.get
        return {
            "name": get("system/settings/")["name"],
            "zone": get("system/settings/")["time_zone"],
            "people": [(one["name"], one["uid"], one["full_name"]) for one in get("users/")["results"]],
            "groups": [(one["name"], one["members"]) for one in get("groups/")["results"]],
            "smb": [(one["name"], one["dataset"], one["write"]) for one in get("shares/smb/")["results"]],
            "nfs": [(one["dataset"], one["clients"]) for one in get("shares/nfs/")["results"]],
            "policies": [one["dataset"] for one in get("snapshot-policies/?own=true")["results"]],
            "channels": [(one["name"], one["kind"]) for one in get("channels/")["results"]],
            "account": rows(self.machine, "select username from accounts_user"),
        }


@pytest.fixture(scope="module")
def old() -> Iterator[Old]:
    """A machine with a pool, people, shares, a policy and a channel, and a copy of all that on the pool."""
    with from_stick(OLD, (sata(number, size_bytes=SMALL) for number in (1, 2))) as machine:
        machine.boot()
        wait_until_up(machine)
        found = Old(machine)
        furnish(found.console, machine)
        found.digest = machine.run(f"sha256sum < {_FILES}/picture").stdout
        yield found


def furnish(console: Console, machine: Machine) -> None:
    """All that is going to be missed."""
    refresh_inventory(console)
    disks = [disk["id"] for disk in console.get("disks/")["results"] if disk["transport"] == "sata"]
    do = console.do
    do("PUT", "system/settings/name/", {"name": "attic"})
    do("PUT", "system/settings/time-zone/", {"time_zone": "Europe/Berlin"})
    do("POST", "pools/", {"name": "tank", "vdevs": [{"role": "data", "layout": "mirror", "disks": disks}]})
    do("POST", "users/", {"name": "anna", "full_name": "Anna Berg", "password": ANNA})
    do("POST", "groups/", {"name": "family", "members": ["anna"]})
    home = [{"host": "10.77.0.0/24", "squash": "none"}]
    share = {"dataset": "tank/photos", "create": True, "name": "photos", "write": ["anna"], "nfs": home}
    do("POST", "shares/folder/", share)
    do("POST", "snapshot-policies/", {"dataset": "tank/photos", "policy": POLICY})
    answer = console.ask("POST", "channels/", CHANNEL)
    assert answer.status == 201, answer
    # Passwords are in the copies only where somebody wants them there.
    do("PATCH", "configuration/settings/", {"secrets": True})
    clients = Clients(machine)
    clients.come()
    clients.know("anna", ANNA)
    clients.run("head -c 30000000 /dev/urandom > /var/tmp/picture")
    said = clients.smb("photos", "put /var/tmp/picture picture", person="anna")
    assert said.exit == 0, said
    # One is also written on schedule, a while after something was set.
    until(lambda: rows(machine, _AT_WORK) == ["0"], limit_s=TIMEOUT_S)
    do("POST", "configuration/copies/", {})


@pytest.fixture(scope="module")
def new(old: Old) -> Iterator[Old]:
    """The same disks with a new stick, up to the step of the wizard at which the settings come back."""
    before = old.settings()
    machine = old.machine
    machine.shutdown()
    machine.pull_disk(OLD.id)
    machine.add_disk(NEW)
    machine.write_disk(NEW.id, build_flash_image().disk)
    machine.boot()
    wait_until_up(machine)
    code_on_screen(machine)  # nobody has claimed this one
    found = Old(machine)
    refresh_inventory(found.console)
    assert found.settings() != before
    assert found.console.get("pools/")["results"] == []
    import_the_pool(found)
    restore(found)
    found.digest = old.digest
    assert found.settings() == before
    yield found


def import_the_pool(found: Old) -> None:
    """The disks' own machine never exported it: the owner has to say that it is gone."""
    (pool,) = importable_pools(found.console)
    assert (pool["name"], pool["state"]) == ("tank", "ONLINE")
    found.console.do("POST", "pools/import/", {"guid": pool["guid"], "force": True})


def is_restored(machine: Machine) -> bool:
    """Whether the old database is in place; while it is being put there, nobody can ask."""
    try:
        return rows(machine, _RESTORED) == ["1"]
    except CommandError:
        return False


def restore(found: Old) -> None:
    """As the wizard does it; the console starts again at the end, with the old accounts."""
    (pool,) = found.console.read("configuration/copies/")["results"]
    # The new console keeps copies on each pool too, and may have written one by now.
    newest = next(one for one in pool["copies"] if not one["ours"])
    assert (newest["host"], newest["fits"], newest["secrets"]) == ("attic", True, True)
    until(lambda: rows(found.machine, _AT_WORK) == ["0"], limit_s=TIMEOUT_S)
    wish = {"pool": "tank", "copy": newest["name"], "name": True}
    found.console.submit("POST", "configuration/restore/", wish)
    until(lambda: is_restored(found.machine), limit_s=TIMEOUT_S, every_s=5)
    wait_until_up(found.machine)
    found.console = Console(found.machine, claimed=True)
    refresh_inventory(found.console)


def test_all_settings_are_back(new: Old) -> None:
    settings = new.settings()
    assert (settings["name"], settings["zone"]) == ("attic", "Europe/Berlin")
    assert [name for name, _, _ in settings["people"]] == ["anna"]
    assert settings["channels"] == [("Family", "discord")]
    assert settings["policies"] == ["tank/photos"]
    assert failed_units(new.machine) == ""
    last = new.console.read("configuration/copies/")["last_restore"]
    assert (last["succeeded"], last["host"]) == (True, "attic")


def served(new: Old) -> bool:
    refresh_inventory(new.console)
    return bool(new.console.get("shares/smb/photos/")["state"] == "served")


def test_a_client_reads_its_file_with_its_old_password(new: Old) -> None:
    until(lambda: served(new), limit_s=TIMEOUT_S)
    clients = Clients(new.machine)
    clients.come()
    clients.know("anna", ANNA)
    said = clients.smb("photos", "get picture /var/tmp/picture.back", person="anna")
    assert said.exit == 0, said
    assert clients.run("sha256sum < /var/tmp/picture.back").stdout == new.digest
    said = clients.smb("photos", "put /var/tmp/picture.back another", person="anna")
    assert said.exit == 0, said
    new.machine.run("install -m 600 /dev/stdin /root/drill-auth-wrong", input="username=anna\npassword=no\n")
    said = clients.smb("photos", "ls", person="wrong")
    assert "LOGON_FAILURE" in said.stdout + said.stderr


def test_a_client_reads_it_by_nfs(new: Old) -> None:
    clients = Clients(new.machine)
    clients.come()
    clients.mount_nfs(_FILES)
    assert clients.run("sha256sum < /client/nfs/picture").stdout == new.digest
    clients.unmount("/client/nfs")


def test_it_stays_so_after_a_start(new: Old) -> None:
    before = new.settings()
    new.machine.reboot()
    wait_until_up(new.machine)
    assert new.settings() == before
    assert failed_units(new.machine) == ""
    until(lambda: served(new), limit_s=TIMEOUT_S)
    # The old stick would be a second system with the same settings: it stays out.
    assert rows(new.machine, _RESTORED) == ["1"]


def test_a_damaged_database_is_named_with_the_way_back_and_replaced(new: Old) -> None:
    """As after a flash drive that returned nonsense: the pages say so, and the commands they name help."""
    before, machine = new.settings(), new.machine
    new.console.do("POST", "configuration/copies/", {})
    units = "nasweb-web nasweb-worker"
    machine.run(f"systemctl stop {units}; rm -f {DATABASE}-wal {DATABASE}-shm")
    # Its first page stays as it is: SQLite opens it, and finds nonsense behind.
    machine.run(
        f"dd if=/dev/urandom of={DATABASE} bs=4096 seek=1 count=64 conv=notrunc status=none; sync"
        f"; systemctl start {units}"
    )
    said = until(lambda: _said_of_it(machine), limit_s=TIMEOUT_S, every_s=5)[1]
    assert "nasweb configuration restore POOL --yes" in said, said
    copies = machine.run("nasweb configuration list").stdout
    assert "\tattic\t" in copies, copies
    newest = next(line.split("\t")[1] for line in copies.splitlines() if "\tattic\t" in line)
    # The console of the new stick may have written one too, before the restore: then it has to be named.
    machine.run(f"nasweb configuration restore tank --yes --copy {newest}", timeout_s=TIMEOUT_S)
    until(lambda: _is_whole(machine), limit_s=TIMEOUT_S, every_s=5)
    wait_until_up(machine)
    new.console = Console(machine, claimed=True)
    assert new.settings() == before
    assert failed_units(machine) == ""


def _is_whole(machine: Machine) -> bool:
    try:
        return rows(machine, "pragma quick_check") == ["ok"]
    except CommandError:
        return False


def _said_of_it(machine: Machine) -> str:
    """What the front page says with 503; empty until the console answers. Another answer is wrong."""
    try:
        answer = front_page(machine)
    except (OSError, HTTPException):
        return ""
    assert answer.status in {HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.BAD_GATEWAY}, answer
    return str(answer.body) if answer.status == HTTPStatus.SERVICE_UNAVAILABLE else ""
